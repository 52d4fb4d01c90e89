import { asc, eq } from "drizzle-orm";
import type { z } from "zod";
import { isAllowed, requireCapability } from "#worker/access/capabilities.ts";
import { findEmbedded } from "#worker/files/pictures/markdown-images.ts";
import {
  capabilityOf,
  isPageSlug,
  pageContents,
  pageSlugs,
  type EditablePage,
  type PageInput,
  type PageRow,
  type PageSlug,
} from "#worker/pages/contract.ts";
import { pageDefaults } from "#worker/pages/defaults.ts";
import { showDraft } from "#worker/pages/drafts.ts";
import { renderContent } from "#worker/pages/render.ts";
import { pages } from "#worker/pages/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { wholeList } from "#worker/platform/data/keyset.ts";
import { lastEditorOf } from "#worker/revisions/queries.ts";

/**
 * The pages that the actor may change, each with the time and author of its last save.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listPages(ctx: Context) {
  requireCapability("edit", ctx);
  const rows = await ctx.db
    .select({ slug: pages.slug, updatedAt: pages.updatedAt, savedBy: lastEditorOf("page", pages.slug) })
    .from(pages)
    .orderBy(asc(pages.slug));
  const saved = new Map(rows.map((row) => [row.slug, row]));
  const allowed = pageSlugs.filter((slug) => isAllowed(capabilityOf(slug), ctx));
  return wholeList(
    allowed.map((slug): PageRow => {
      const row = saved.get(slug);
      return { slug, updatedAt: row?.updatedAt.getTime() ?? 0, savedBy: row?.savedBy ?? null };
    }),
  );
}

/**
 * A page as its owner edits it. Fields that were never saved have their defaults.
 * @throws `unauthenticated`, `forbidden`; `not_found` for an unknown slug
 */
export async function readPageForEdit<Slug extends PageSlug>(ctx: Context, slug: Slug) {
  requireCapability(capabilityOf(slug), ctx);
  requirePage(slug);
  return toEditable(slug, await readPageRow(ctx, slug));
}

/**
 * A visitor's context in which a page has this content instead of the saved one.
 * @throws `unauthenticated`, `forbidden`; `not_found` for an unknown slug; `invalid`
 */
export async function previewPage<Slug extends PageSlug>(ctx: Context, slug: Slug, input: PageInput<Slug>) {
  requireCapability(capabilityOf(slug), ctx);
  requirePage(slug);
  const schema: z.ZodType<object> = pageContents[slug];
  const written = parseInput(schema, input);
  const shown = renderContent(written, await findEmbedded(ctx, JSON.stringify(written)));
  return showDraft(ctx, slug, shown);
}

/** @throws `not_found` */
export function requirePage(slug: string) {
  if (!isPageSlug(slug)) throw new AppError("not_found", "There is no such page.");
}

export async function readPageRow({ db }: Context, slug: PageSlug) {
  const [row] = await db.select().from(pages).where(eq(pages.slug, slug));
  return row;
}

export const toEditable = <Slug extends PageSlug>(
  slug: Slug,
  row: typeof pages.$inferSelect | undefined,
): EditablePage<Slug> => ({
  slug,
  updatedAt: row?.updatedAt.getTime() ?? 0,
  values: { ...pageDefaults[slug], ...row?.content.written },
});
