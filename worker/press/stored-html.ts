import { sql } from "drizzle-orm";
import { changed } from "#worker/platform/data/changes.ts";
import { renderedColumns } from "#worker/press/rendered.ts";
import { pressItems } from "#worker/press/table.ts";
import type { StoredHtml } from "#worker/rendering/render-slice.ts";

export const pressHtml: StoredHtml<typeof pressItems.$inferSelect> = {
  table: pressItems,
  markdown: "content",
  render: ({ content }, pictures) => renderedColumns(content, pictures),
  changed: (ctx, which) => [
    changed(ctx, sql`select 'press' as tag from ${pressItems} where ${which} and ${pressItems.published}`),
  ],
};
