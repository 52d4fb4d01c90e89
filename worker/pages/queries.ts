import { inArray } from "drizzle-orm";
import type { PageContent, PageSlug } from "#worker/pages/contract.ts";
import { pageDefaults } from "#worker/pages/defaults.ts";
import { draftOf } from "#worker/pages/drafts.ts";
import { renderContent } from "#worker/pages/render.ts";
import { pages } from "#worker/pages/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** The rendered content of each of these pages. A field that was never saved has its default. */
export async function readPages<Slug extends PageSlug>(ctx: Context, slugs: readonly Slug[]) {
  ctx.dependsOn(...slugs.map((slug) => `page:${slug}`));
  const rows = await ctx.db
    .select({ slug: pages.slug, content: pages.content })
    .from(pages)
    .where(inArray(pages.slug, [...slugs]));
  const saved = new Map(rows.map(({ slug, content }) => [slug, content.shown]));
  const entries = slugs.map((slug) => [
    slug,
    { ...renderedDefault(slug), ...(draftOf(ctx, slug) ?? saved.get(slug)) },
  ]);
  return Object.fromEntries(entries) as { [Each in Slug]: PageContent<Each> };
}

/** When each page was last saved; none for pages that show their default. */
export const listPageDates = ({ db }: Context) =>
  db.select({ slug: pages.slug, updatedAt: pages.updatedAt }).from(pages);

export async function readPage<Slug extends PageSlug>(ctx: Context, slug: Slug): Promise<PageContent<Slug>> {
  return (await readPages(ctx, [slug]))[slug];
}

const renderedDefaults = new Map<PageSlug, Record<string, unknown>>();

/** Rendered once per isolate, on first use. */
function renderedDefault(slug: PageSlug) {
  const shown = renderedDefaults.get(slug) ?? renderContent(pageDefaults[slug]);
  renderedDefaults.set(slug, shown);
  return shown;
}
