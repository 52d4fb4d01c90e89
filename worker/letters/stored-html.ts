import { sql } from "drizzle-orm";
import { renderedColumns } from "#worker/letters/rendered.ts";
import { letters } from "#worker/letters/table.ts";
import { changed } from "#worker/platform/data/changes.ts";
import type { StoredHtml } from "#worker/rendering/render-slice.ts";

/** Includes sent letters: the archive shows their Markdown as rendered now, while their mails stay as sent. */
export const letterHtml: StoredHtml<typeof letters.$inferSelect> = {
  table: letters,
  markdown: "content",
  render: ({ content }, pictures) => renderedColumns(content, pictures),
  changed: (ctx, which) => [
    changed(
      ctx,
      sql`select 'letter:' || ${letters.id} as tag from ${letters} where ${which} and ${letters.startedAt} is not null`,
    ),
  ],
};
