import { asc } from "drizzle-orm";
import {
  exportedColumns,
  isNextSlice,
  itemFiles,
  nameOf,
  rowsOf,
  type Exporter,
} from "#worker/exports/exported.ts";
import { pressItems } from "#worker/press/table.ts";

/** Each media item as Markdown and as JSON. */
export const pressForExport: Exporter = async function* ({ db }) {
  const rows = rowsOf((after) =>
    db
      .select(exportedColumns(pressItems))
      .from(pressItems)
      .where(isNextSlice(pressItems.id, after, pressItems.content, pressItems.contentHtml))
      .orderBy(asc(pressItems.id)),
  );
  for await (const row of rows) {
    yield* itemFiles(
      `press/${await nameOf(row)}`,
      {
        title: row.title,
        date: row.date,
        updated: row.updatedAt,
        draft: !row.published || null,
        type: row.type,
        description: row.summary,
        outlet: row.outlet,
        link: row.link,
      },
      row.content,
      row,
    );
  }
};
