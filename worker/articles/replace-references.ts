import { and, eq, sql } from "drizzle-orm";
import { changedArticles, isAmong, publicationOf } from "#worker/articles/changed.ts";
import { renderedColumns } from "#worker/articles/rendered.ts";
import { toInput } from "#worker/articles/owner-queries.ts";
import { isPublished } from "#worker/articles/queries.ts";
import { articles } from "#worker/articles/table.ts";
import { findEmbeddedIn } from "#worker/files/pictures/markdown-images.ts";
import { moveId, moveText, usedBy, type FilePlace } from "#worker/files/library/replace-references.ts";
import { laterThan } from "#worker/platform/data/publishing.ts";
import { feedChanged } from "#worker/publications/record-publication.ts";
import { namedSlugOf } from "#worker/revisions/queries.ts";
import { recordChange } from "#worker/revisions/record-revision.ts";

/** An article's picture, and the files that its text shows or links to. */
export const articlePlace: FilePlace = {
  async move(ctx, items, move) {
    const are = isAmong(items.map(Number));
    const rows = await ctx.db.select().from(articles).where(are);
    const texts = rows.map(({ content }) => moveText(content, move));
    const pictures = await findEmbeddedIn(ctx, texts);
    const saves = rows.map(async (row, index) => {
      const before = toInput(row);
      const written = { content: texts[index]!, imageFileId: moveId(row.imageFileId, move) };
      const update = ctx.db
        .update(articles)
        .set({
          ...written,
          ...renderedColumns(written.content, pictures),
          updatedAt: laterThan(row.updatedAt, ctx.now),
        })
        .where(and(eq(articles.id, row.id), eq(articles.updatedAt, row.updatedAt)));
      const revision = await recordChange(ctx, {
        kind: "article",
        item: row.id,
        before: { values: before, savedAt: row.updatedAt },
        values: {
          ...before,
          ...written,
          slug: await namedSlugOf(ctx, { kind: "article", item: row.id }, undefined, before.slug),
        },
      });
      return [update, ...revision];
    });
    const ping = feedChanged(ctx, publicationOf(sql`${are} and ${isPublished}`));
    return {
      statements: [...(await Promise.all(saves)).flat(), changedArticles(ctx, are), ...ping.statements],
      enqueue: ping.enqueue,
    };
  },

  described: (ctx, fileId) => [
    changedArticles(
      ctx,
      sql`${articles.id} in ${usedBy("article", fileId)} and ${articles.imageFileId} = ${fileId} and ${articles.imageAlt} = ''`,
    ),
  ],
};
