import { asc, getTableColumns } from "drizzle-orm";
import { isNextSlice, jsonList, rowsOf, type Exporter } from "#worker/exports/exported.ts";
import { campaigns } from "#worker/campaigns/table.ts";

/** Campaigns of every status. */
export const campaignsForExport: Exporter = ({ db }) => {
  const { draftKey: _key, ...columns } = getTableColumns(campaigns);
  const rows = rowsOf((after) =>
    db.select(columns).from(campaigns).where(isNextSlice(campaigns.id, after)).orderBy(asc(campaigns.id)),
  );
  return [jsonList("campaigns.json", rows)];
};
