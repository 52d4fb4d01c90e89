import { inArray } from "drizzle-orm";
import type { z } from "zod";
import { embeddedFileIdsOf, findEmbedded } from "#worker/files/embedded.ts";
import { pageContents, type PageContent, type PageInput, type PageSlug } from "#worker/pages/contract.ts";
import { pageDefaults } from "#worker/pages/defaults.ts";
import { pages } from "#worker/pages/table.ts";
import { changed } from "#worker/platform/changes.ts";
import { requireCapability, type Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/input.ts";
import { renderMarkdown, type Pictures } from "#worker/platform/markdown.ts";

/** What each of these pages shows. What the owner never said has its default. */
export async function readPages<Slug extends PageSlug>({ db, dependsOn }: Context, slugs: readonly Slug[]) {
  dependsOn(...slugs.map((slug) => `page:${slug}`));
  const rows = await db
    .select({ slug: pages.slug, content: pages.content })
    .from(pages)
    .where(inArray(pages.slug, [...slugs]));
  const saved = new Map(rows.map(({ slug, content }) => [slug, content.shown]));
  const entries = slugs.map((slug) => [slug, { ...shownDefault(slug), ...saved.get(slug) }]);
  return Object.fromEntries(entries) as { [Each in Slug]: PageContent<Each> };
}

/** When each page was last saved; none for pages that show their default. */
export const listPageDates = ({ db }: Context) =>
  db.select({ slug: pages.slug, updatedAt: pages.updatedAt }).from(pages);

export async function readPage<Slug extends PageSlug>(ctx: Context, slug: Slug): Promise<PageContent<Slug>> {
  return (await readPages(ctx, [slug]))[slug];
}

/** @throws `unauthenticated`, `forbidden`; `not_found` for an unknown slug; `invalid` */
export async function savePage<Slug extends PageSlug>(ctx: Context, slug: Slug, input: PageInput<Slug>) {
  requireCapability("edit", ctx);
  if (!Object.hasOwn(pageContents, slug)) throw new AppError("not_found", "There is no such page.");
  const schema: z.ZodType<object> = pageContents[slug];
  const written = parseInput(schema, input);
  const everyText = JSON.stringify(written);
  const values = {
    content: { written, shown: show(written, await findEmbedded(ctx, everyText)) },
    embeddedFileIds: embeddedFileIdsOf(everyText),
    updatedAt: ctx.now,
  };
  const save = ctx.db
    .insert(pages)
    .values({ slug, ...values })
    .onConflictDoUpdate({ target: pages.slug, set: values });
  await ctx.db.batch([save, changed(ctx, "pages", `page:${slug}`)]);
}

const shownDefaults = new Map<PageSlug, Record<string, unknown>>();

/** Rendered once, when it is first asked for. */
function shownDefault(slug: PageSlug) {
  const shown = shownDefaults.get(slug) ?? show(pageDefaults[slug]);
  shownDefaults.set(slug, shown);
  return shown;
}

const show = (written: object, pictures?: Pictures) =>
  Object.fromEntries(Object.entries(written).map(([key, value]) => [key, showValue(value, pictures)]));

/** `{ markdown }` becomes `{ html }`, wherever it stands. */
function showValue(value: unknown, pictures?: Pictures): unknown {
  if (Array.isArray(value)) return value.map((item) => showValue(item, pictures));
  if (typeof value !== "object" || value === null) return value;
  if ("markdown" in value) return { html: renderMarkdown(String(value.markdown), pictures).html };
  return show(value, pictures);
}
