import { asc, sql } from "drizzle-orm";
import {
  exportedColumns,
  isNextSlice,
  itemFiles,
  nameOf,
  rowsOf,
  type Exporter,
} from "#worker/exports/exported.ts";
import { letterLinks, letters } from "#worker/letters/table.ts";

/** SQL: the counted links, as JSON. */
const linksOf = sql<string>`(select json_group_array(json_object('url', link.url, 'presses', link.presses) order by link.position)
  from ${letterLinks} as link where link.letter_id = ${letters}.id)`;

/** Each letter as Markdown and as JSON, with its figures. */
export const lettersForExport: Exporter = async function* ({ db }) {
  const { mail: _mail, ...columns } = exportedColumns(letters);
  const rows = rowsOf((after) =>
    db
      .select({ ...columns, links: linksOf })
      .from(letters)
      .where(isNextSlice(letters.id, after, letters.content, letters.contentHtml))
      .orderBy(asc(letters.id)),
  );
  for await (const { links, ...row } of rows) {
    yield* itemFiles(
      `letters/${await nameOf({ id: row.id, title: row.subject })}`,
      {
        title: row.subject,
        date: row.startedAt,
        updated: row.updatedAt,
        status: row.status,
        draft: row.startedAt === null || null,
        description: row.preheader,
      },
      row.content,
      { ...row, links: JSON.parse(links) as unknown },
    );
  }
};
