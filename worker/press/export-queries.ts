import { asc } from "drizzle-orm";
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
export const exportPress: Exporter = async function* ({ db }) {
  const rows = rowsOf((after) =>
    db
      .select()
      .from(pressItems)
      .where(
        isNextSlice(pressItems.id, after, pressItems.content, pressItems.contentHtml, pressItems.contentText),
      )
      .orderBy(asc(pressItems.id)),
  );
  for await (const { draftKey: _key, embeddedFileIds: _embedded, contentText: _text, ...row } of rows) {
    const name = `press/${await nameOf(row)}`;
    yield markdownFile(
      `${name}.md`,
      {
        title: row.title,
        date: row.date.toISOString().slice(0, 10),
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
