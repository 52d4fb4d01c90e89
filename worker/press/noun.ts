import { sql } from "drizzle-orm";
import { embeddedFileIdsOf } from "#worker/files/pictures/markdown-images.ts";
import { noun } from "#worker/nouns/noun.ts";
import { changed } from "#worker/platform/data/changes.ts";
import { renderMarkdown, type Pictures } from "#worker/platform/text/markdown.ts";
import { binnedPressItems, pressItems } from "#worker/press/table.ts";

/** The columns derived from the content. */
export function renderedColumns({ content }: { content: string }, pictures: Pictures) {
  const { html, text } = renderMarkdown(content, pictures);
  return { contentHtml: html, contentText: text, embeddedFileIds: embeddedFileIdsOf(content) };
}

export const pressNoun = noun({
  table: pressItems,
  title: "title",
  files: { kind: "press" },
  text: { column: "content", derive: renderedColumns },
  changed: (ctx, which) => [
    changed(ctx, sql`select 'press' as tag from ${pressItems} where ${which} and ${pressItems.published}`),
  ],
  bin: {
    kind: "press",
    parts: [
      {
        table: pressItems,
        binned: binnedPressItems,
        of: (item) => sql`${pressItems.id} = cast(${item} as integer)`,
      },
    ],
  },
  exported: {
    folder: "press",
    facts: (row) => ({
      title: row.title,
      date: row.date,
      updated: row.updatedAt,
      draft: !row.published || null,
      type: row.type,
      description: row.summary,
      outlet: row.outlet,
      link: row.link,
    }),
  },
});
