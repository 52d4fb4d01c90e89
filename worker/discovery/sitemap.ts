import { and, asc, eq, gt } from "drizzle-orm";
import { articles } from "#worker/articles/table.ts";
import { episodes } from "#worker/episodes/table.ts";
import { pages } from "#worker/pages/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { buildXml } from "#worker/platform/rss.ts";

type Frequency = "daily" | "weekly" | "monthly" | "yearly";

type Entry = {
  url: string;
  /** Absent where the page's age is not known. */
  lastModified?: Date;
  changeFrequency: Frequency;
  priority: number;
};

/** What a page's age follows from, apart from its own row: the newest of what it lists. */
type Lists = "everything" | "episodes" | "essays";

const routes: [path: string, priority: number, changeFrequency: Frequency, lists?: Lists][] = [
  ["/", 1, "daily", "everything"],
  ["/about", 0.8, "monthly"],
  ["/podcast", 0.9, "weekly", "episodes"],
  ["/conversations", 0.9, "weekly", "essays"],
  ["/essays", 0.8, "weekly", "essays"],
  ["/speaking", 0.7, "monthly"],
  ["/media", 0.7, "monthly"],
  ["/contact", 0.6, "monthly"],
  ["/guest", 0.6, "monthly"],
  ["/mission", 0.7, "monthly"],
  ["/three-es", 0.7, "monthly"],
  ["/privacy-policy", 0.3, "yearly"],
  ["/terms-of-service", 0.3, "yearly"],
];

/** An episode or essay hardly changes once it is published. */
const PIECE = { changeFrequency: "monthly", priority: 0.7 } as const;

/** What one sitemap may hold (sitemaps.org). */
const MAX_ENTRIES = 50_000;

/** Every page that is to be found, as XML. */
export async function readSitemap(ctx: Context) {
  ctx.dependsOn("pages", "episodes", "articles");
  const [written, episodeRows, essayRows] = await Promise.all([
    ctx.db.select({ slug: pages.slug, updatedAt: pages.updatedAt }).from(pages),
    readEpisodes(ctx),
    readEssays(ctx),
  ]);
  const ages = new Map(written.map(({ slug, updatedAt }) => [`/${slug}`, updatedAt]));
  const newest = {
    episodes: newestOf(episodeRows),
    essays: newestOf(essayRows),
    everything: newestOf([...episodeRows, ...essayRows]),
  };
  const entries: Entry[] = [
    ...routes.map(([url, priority, changeFrequency, lists]) => ({
      url,
      priority,
      changeFrequency,
      lastModified: lists ? newest[lists] : ages.get(url),
    })),
    ...episodeRows.map(({ id, updatedAt }) => ({ ...PIECE, url: `/episode/${id}`, lastModified: updatedAt })),
    ...essayRows.map(({ slug, updatedAt }) => ({
      ...PIECE,
      url: `/essays/${slug}`,
      lastModified: updatedAt,
    })),
  ];
  return render(ctx.config.siteUrl, entries.slice(0, MAX_ENTRIES));
}

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
      url: entries.map(({ url, lastModified, changeFrequency, priority }) => ({
        loc: siteUrl + url,
        lastmod: lastModified?.toISOString(),
        changefreq: changeFrequency,
        priority: priority.toFixed(1),
      })),
    },
  });

const readEpisodes = ({ db }: Context) =>
  readAll((after) =>
    db
      .select({ id: episodes.id, updatedAt: episodes.updatedAt })
      .from(episodes)
      .where(and(eq(episodes.status, "published"), gt(episodes.id, after)))
      .orderBy(asc(episodes.id))
      .limit(A_STATEMENT),
  );

const readEssays = ({ db }: Context) =>
  readAll((after) =>
    db
      .select({ id: articles.id, slug: articles.slug, updatedAt: articles.updatedAt })
      .from(articles)
      .where(and(eq(articles.status, "published"), gt(articles.id, after)))
      .orderBy(asc(articles.id))
      .limit(A_STATEMENT),
  );

const A_STATEMENT = 5000;

/** Every row, a few thousand at a time, by key. */
async function readAll<Row extends { id: number }>(readAfter: (id: number) => PromiseLike<Row[]>) {
  const rows: Row[] = [];
  let page: Row[];
  do {
    page = await readAfter(rows.at(-1)?.id ?? 0);
    rows.push(...page);
  } while (page.length === A_STATEMENT && rows.length < MAX_ENTRIES);
  return rows;
}
