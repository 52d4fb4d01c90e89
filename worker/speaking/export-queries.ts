import { asc, getTableColumns } from "drizzle-orm";
import { isNextSlice, jsonList, rowsOf, type Exporter } from "#worker/exports/exported.ts";
import { engagements } from "#worker/speaking/table.ts";

/** Engagements, with what is confidential. */
export const engagementsForExport: Exporter = ({ db }) => {
  const { draftKey: _key, ...columns } = getTableColumns(engagements);
  const rows = rowsOf((after) =>
    db
      .select(columns)
      .from(engagements)
      .where(isNextSlice(engagements.id, after))
      .orderBy(asc(engagements.id)),
  );
  return [jsonList("speaking.json", rows)];
};
