import { asc, getTableColumns } from "drizzle-orm";
import {
  isNextSlice,
  jsonFile,
  markdownFile,
  nameOf,
  rowsOf,
  type Exporter,
} from "#worker/exports/exported.ts";
import { pressItems } from "#worker/press/table.ts";

/** Each media item as Markdown and as JSON. */
export const pressForExport: Exporter = async function* ({ db }) {
  const {
    draftKey: _key,
    embeddedFileIds: _embedded,
    contentText: _text,
    ...columns
  } = getTableColumns(pressItems);
  const rows = rowsOf((after) =>
    db
      .select(columns)
      .from(pressItems)
      .where(isNextSlice(pressItems.id, after, pressItems.content, pressItems.contentHtml))
      .orderBy(asc(pressItems.id)),
  );
  for await (const row of rows) {
    const name = `press/${await nameOf(row)}`;
    yield markdownFile(
      `${name}.md`,
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
    );
    yield jsonFile(`${name}.json`, row);
  }
};
