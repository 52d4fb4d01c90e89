import { eq, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { embeddedFileIdsOf, findEmbedded } from "#worker/files/pictures/markdown-images.ts";
import {
  BasedOn,
  capabilityOf,
  pageContents,
  type EditablePage,
  type PageChange,
  type PageSlug,
} from "#worker/pages/contract.ts";
import { readPageRow, requirePage, toEditable } from "#worker/pages/owner-queries.ts";
import { renderContent } from "#worker/pages/render.ts";
import { pages } from "#worker/pages/table.ts";
import { changed } from "#worker/platform/data/changes.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { laterThan } from "#worker/platform/data/publishing.ts";
import { isRepeated } from "#worker/platform/data/versions.ts";
import { recordChange } from "#worker/revisions/record-revision.ts";

/**
 * Saves all of a page's content, as a new version. `basedOn` is the `updatedAt` that it was made from; `restoredFrom`:
 * when the restored version was saved.
 * @throws `unauthenticated`, `forbidden`; `not_found` for an unknown slug; `invalid`; `conflict` when the page was
 * changed elsewhere since `basedOn`
 */
export async function updatePage<Slug extends PageSlug>(
  ctx: Context,
  slug: Slug,
  input: PageChange<Slug>,
  { restoredFrom }: { restoredFrom?: Date } = {},
): Promise<EditablePage<Slug>> {
  requireCapability(capabilityOf(slug), ctx);
  requirePage(slug);
  const { basedOn, ...written } = parseInput(pageContents[slug].extend(BasedOn), input);
  const row = await readPageRow(ctx, slug);
  const page = toEditable(slug, row);
  const { values: before } = page;
  const stored = { ...before, updatedAt: new Date(page.updatedAt) };
  if (isRepeated({ basedOn, stored, given: () => written, changedElsewhere })) return page;
  const everyText = JSON.stringify(written);
  const values = {
    content: { written, shown: renderContent(written, await findEmbedded(ctx, everyText)) },
    embeddedFileIds: embeddedFileIdsOf(everyText),
    updatedAt: row ? laterThan(row.updatedAt, ctx.now) : ctx.now,
  };
  const save = ctx.db
    .insert(pages)
    .values({ slug, ...values })
    .onConflictDoUpdate({
      target: pages.slug,
      set: values,
      setWhere: row ? eq(pages.updatedAt, row.updatedAt) : sql`false`,
    })
    .returning();
  const revision = await recordChange(ctx, {
    kind: "page",
    item: slug,
    before: { values: before, savedAt: row?.updatedAt ?? ctx.now },
    values: written,
    restoredFrom,
  });
  const [[saved]] = await ctx.db.batch([save, ...revision, changed(ctx, "pages", `page:${slug}`)]);
  if (!saved) throw changedElsewhere();
  return toEditable(slug, saved);
}

const changedElsewhere = () =>
  new AppError("conflict", "This page was changed elsewhere since you opened it.");
