import { and, eq, inArray, sql } from "drizzle-orm";
import { findEmbeddedIn } from "#worker/files/pictures/markdown-images.ts";
import { moveText, type FilePlace } from "#worker/files/library/replace-references.ts";
import { changed } from "#worker/platform/data/changes.ts";
import { laterThan } from "#worker/platform/data/publishing.ts";
import { renderedColumns } from "#worker/press/rendered.ts";
import { pressItems } from "#worker/press/table.ts";

/** The files that the text of a media item shows or links to. */
export const pressPlace: FilePlace = {
  async move(ctx, items, move) {
    const are = inArray(pressItems.id, items.map(Number));
    const rows = await ctx.db.select().from(pressItems).where(are);
    const texts = rows.map(({ content }) => moveText(content, move));
    const pictures = await findEmbeddedIn(ctx, texts);
    const updates = rows.map((row, index) =>
      ctx.db
        .update(pressItems)
        .set({
          ...renderedColumns(texts[index]!, pictures),
          updatedAt: laterThan(row.updatedAt, ctx.now),
        })
        .where(and(eq(pressItems.id, row.id), eq(pressItems.updatedAt, row.updatedAt))),
    );
    const seen = sql`select 'press' as tag from ${pressItems} where ${are} and ${pressItems.published}`;
    return { statements: [...updates, changed(ctx, seen)] };
  },
};
