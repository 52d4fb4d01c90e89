import { and, eq, inArray, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { embeddedFileIdsOf, findEmbeddedIn } from "#worker/files/pictures/markdown-images.ts";
import { moveText, type FilePlace } from "#worker/files/library/replace-references.ts";
import { capabilityOf } from "#worker/pages/contract.ts";
import { renderContent } from "#worker/pages/render.ts";
import { pages } from "#worker/pages/table.ts";
import { changed } from "#worker/platform/data/changes.ts";
import { laterThan } from "#worker/platform/data/publishing.ts";
import { recordChange } from "#worker/revisions/record-revision.ts";

/** The files that the texts of a standing page show or link to. */
export const pagePlace: FilePlace = {
  async move(ctx, items, move) {
    items.forEach((slug) => requireCapability(capabilityOf(slug), ctx));
    const are = inArray(pages.slug, items);
    const rows = await ctx.db.select().from(pages).where(are);
    // Safe on JSON: an address has no character that JSON escapes.
    const texts = rows.map(({ content }) => moveText(JSON.stringify(content.written), move));
    const pictures = await findEmbeddedIn(ctx, texts);
    const saves = rows.map(async (row, index) => {
      const text = texts[index]!;
      const written = JSON.parse(text) as object;
      const update = ctx.db
        .update(pages)
        .set({
          content: { written, shown: renderContent(written, pictures) },
          embeddedFileIds: embeddedFileIdsOf(text),
          updatedAt: laterThan(row.updatedAt, ctx.now),
        })
        .where(and(eq(pages.slug, row.slug), eq(pages.updatedAt, row.updatedAt)));
      const revision = await recordChange(ctx, {
        kind: "page",
        item: row.slug,
        before: { values: row.content.written, savedAt: row.updatedAt },
        values: written,
      });
      return [update, ...revision];
    });
    const tags = sql`select 'pages' as tag union select 'page:' || ${pages.slug} from ${pages} where ${are}`;
    return { statements: [...(await Promise.all(saves)).flat(), changed(ctx, tags)] };
  },
};
