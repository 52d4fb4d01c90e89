import { isOpen, listings, switchesOf, type Listing, type PagePath } from "#worker/addresses.ts";
import { listPublishedArticleDates } from "#worker/articles/queries.ts";
import { readCampaignsDate } from "#worker/campaigns/queries.ts";
import { listPublishedEpisodeDates } from "#worker/episodes/queries.ts";
import { listPublicLetterDates } from "#worker/letters/archive.ts";
import { pagePaths, type PageSlug } from "#worker/pages/contract.ts";
import { listPageDates } from "#worker/pages/queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { buildXml } from "#worker/platform/http/rss.ts";
import { readPressDate } from "#worker/press/queries.ts";
import { readSite } from "#worker/settings/queries.ts";

type Entry = Pick<Listing, "changeFrequency" | "priority"> & {
  path: string;
  /** Absent if unknown. */
  lastModified?: Date;
};

/** Maximum entries of a sitemap (sitemaps.org). */
const MAX_ENTRIES = 50_000;

/** Every page to be indexed by search engines, as XML. */
export async function readSitemap(ctx: Context) {
  ctx.dependsOn("pages", "episodes", "articles", "letters", "press", "campaigns");
  const [site, contents, episodeRows, essayRows, letterRows, pressDate, campaignsDate] = await Promise.all([
    readSite(ctx),
    listPageDates(ctx),
    readEpisodes(ctx),
    readEssays(ctx),
    readLetters(ctx),
    readPressDate(ctx),
    readCampaignsDate(ctx),
  ]);
  const switches = switchesOf(site);
  const contentChangedAt = new Map<string, Date>(
    contents.map(({ slug, updatedAt }) => [pagePaths[slug as PageSlug], updatedAt]),
  );
  const newest = {
    episodes: newestOf(episodeRows),
    essays: newestOf(essayRows),
    "episodes and essays": newestOf([...episodeRows, ...essayRows]),
    letters: newestOf(letterRows),
    press: pressDate,
    campaigns: campaignsDate,
  };
  const lastModifiedOf = (path: string, { changesWith }: Listing) =>
    changesWith === "content" ? contentChangedAt.get(path) : changesWith && newest[changesWith];
  const entries: Entry[] = [
    ...fixedPages
      .filter(([path]) => isOpen(path, switches))
      .map(([path, listing]) => ({ ...listing, path, lastModified: lastModifiedOf(path, listing) })),
    ...episodeRows.map(({ id, updatedAt }) => ({
      ...listings["/episode/:id"],
      path: `/episode/${id}`,
      lastModified: updatedAt,
    })),
    ...essayRows.map(({ slug, updatedAt }) => ({
      ...listings["/essays/:slug"],
      path: `/essays/${slug}`,
      lastModified: updatedAt,
    })),
    ...letterRows.map(({ id, updatedAt }) => ({
      ...listings["/letters/:id"],
      path: `/letters/${id}`,
      lastModified: updatedAt,
    })),
  ];
  return render(ctx.config.siteUrl, entries.slice(0, MAX_ENTRIES));
}

const fixedPages = Object.entries<Listing | null>(listings).flatMap(
  ([path, listing]): [PagePath, Listing][] =>
    listing && !path.includes(":") ? [[path as PagePath, listing]] : [],
);

const newestOf = (rows: { updatedAt: Date }[]) =>
  rows.reduce<Date | undefined>(
    (newest, { updatedAt }) => (newest && newest > updatedAt ? newest : updatedAt),
    undefined,
  );

const render = (siteUrl: string, entries: Entry[]) =>
  buildXml({
    "?xml": { "@_version": "1.0", "@_encoding": "UTF-8" },
    urlset: {
      "@_xmlns": "http://www.sitemaps.org/schemas/sitemap/0.9",
      url: entries.map(({ path, lastModified, changeFrequency, priority }) => ({
        loc: siteUrl + path,
        lastmod: lastModified?.toISOString(),
        changefreq: changeFrequency,
        priority: priority.toFixed(1),
      })),
    },
  });

const readEpisodes = (ctx: Context) =>
  readAll((after) => listPublishedEpisodeDates(ctx, { after, limit: A_STATEMENT }));

const readEssays = (ctx: Context) =>
  readAll((after) => listPublishedArticleDates(ctx, { after, limit: A_STATEMENT }));

/** Empty while the archive is switched off. */
const readLetters = (ctx: Context) =>
  readAll((after) => listPublicLetterDates(ctx, { after, limit: A_STATEMENT }));

const A_STATEMENT = 5000;

/** Reads every row, a few thousand at a time, by key. */
async function readAll<Row extends { id: number }>(readAfter: (id: number) => PromiseLike<Row[]>) {
  const rows: Row[] = [];
  let page: Row[];
  do {
    page = await readAfter(rows.at(-1)?.id ?? 0);
    rows.push(...page);
  } while (page.length === A_STATEMENT && rows.length < MAX_ENTRIES);
  return rows;
}
