import { isOpen, listings, switchesOf, type Listing, type PagePath } from "#worker/addresses.ts";
import { listPublishedArticleDates } from "#worker/articles/queries.ts";
import { readCampaignsDate } from "#worker/campaigns/queries.ts";
import { listPublishedEpisodeDates } from "#worker/episodes/queries.ts";
import { listPublicLetterDates } from "#worker/letters/archive.ts";
import { pagePaths, type PageSlug } from "#worker/pages/contract.ts";
import { listPageDates } from "#worker/pages/queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { escapeText } from "#worker/platform/http/rss.ts";
import { personPagesOf } from "#worker/profiles/queries.ts";
import { readPressDate } from "#worker/press/queries.ts";
import { readSite } from "#worker/settings/queries.ts";

type Entry = {
  listing: Listing;
  path: string;
  /** In milliseconds UTC; absent if unknown. */
  lastModified?: number;
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
  const people = await personPagesOf(episodeRows);
  const switches = switchesOf(site);
  const contentChangedAt = new Map<string, number>(
    contents.map(({ slug, updatedAt }) => [pagePaths[slug as PageSlug], updatedAt.getTime()]),
  );
  const newest = {
    episodes: newestOf(episodeRows),
    essays: newestOf(essayRows),
    "episodes and essays": newestOf([...episodeRows, ...essayRows]),
    letters: newestOf(letterRows),
    press: pressDate?.getTime(),
    campaigns: campaignsDate?.getTime(),
  };
  const lastModifiedOf = (path: string, { changesWith }: Listing) =>
    changesWith === "content" ? contentChangedAt.get(path) : changesWith && newest[changesWith];
  const entries: Entry[] = [
    ...fixedPages
      .filter(([path]) => isOpen(path, switches))
      .map(([path, listing]) => ({ listing, path, lastModified: lastModifiedOf(path, listing) })),
    ...episodeRows.map(({ id, updatedAt }) => ({
      listing: listings["/episode/:id"],
      path: `/episode/${id}`,
      lastModified: updatedAt,
    })),
    ...people.map(({ slug, updatedAt }) => ({
      listing: listings["/people/:slug"],
      path: `/people/${slug}`,
      lastModified: updatedAt,
    })),
    ...essayRows.map(({ slug, updatedAt }) => ({
      listing: listings["/essays/:slug"],
      path: `/essays/${slug}`,
      lastModified: updatedAt,
    })),
    ...letterRows.map(({ id, updatedAt }) => ({
      listing: listings["/letters/:id"],
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

const newestOf = (rows: { updatedAt: number }[]) =>
  rows.reduce<number | undefined>(
    (newest, { updatedAt }) => (newest && newest > updatedAt ? newest : updatedAt),
    undefined,
  );

/** Each of these elements is as simple as a template, and there may be thousands. */
function render(siteUrl: string, entries: Entry[]) {
  const ends = new Map<Listing, string>();
  for (const { listing } of entries) if (!ends.has(listing)) ends.set(listing, endOf(listing));
  const urls = entries.map(({ path, lastModified, listing }) => {
    const changed = lastModified ? `<lastmod>${new Date(lastModified).toISOString()}</lastmod>` : "";
    return `<url><loc>${escapeText(siteUrl + path)}</loc>${changed}${ends.get(listing)}</url>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="${NAMESPACE}">${urls.join("")}</urlset>`;
}

const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

const endOf = ({ changeFrequency, priority }: Listing) =>
  `<changefreq>${changeFrequency}</changefreq><priority>${priority.toFixed(1)}</priority>`;

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
