import { listPublishedEpisodes } from "#worker/episodes/queries.ts";
import type { LoadSite } from "./site.ts";

export type Addresses = { public: string[]; episodes: number[]; audio: string[] };

/** Every public address of the demo: what the sitemap and the feeds name, the pages' data, and what machines read. */
export async function readAddresses({ url, ctx }: LoadSite): Promise<Addresses> {
  const read = async (path: string) => (await fetch(url + path)).text();
  const sitemap = await read("/sitemap.xml");
  const pages = [...sitemap.matchAll(/<loc>[^<]*?:\d+([^<]*)<\/loc>/g)].map(([, path = "/"]) => path || "/");
  const feed = await read("/rss/podcast.xml");
  const audio = [...new Set(feed.match(/\/media\/podcast-audio\/[^"?]+/g))];
  const { items: episodes } = await listPublishedEpisodes(ctx, {});
  const documents = episodes.flatMap(({ id }) => [
    `/episode/${id}/chapters.json`,
    ...["vtt", "srt", "json", "txt"].map((format) => `/episode/${id}/transcript.${format}`),
    `/episode/${id}?t=30`,
  ]);
  return {
    public: [
      ...pages,
      ...pages.map((path) => (path === "/" ? "/_.data" : `${path}.data`)),
      ...documents,
      ...MACHINES,
    ],
    episodes: episodes.map(({ id }) => id),
    audio,
  };
}

const MACHINES = [
  "/rss/podcast.xml",
  "/rss/essays.xml",
  "/rss/letters.xml",
  "/sitemap.xml",
  "/robots.txt",
  "/llms.txt",
  "/.well-known/security.txt",
  "/manifest.webmanifest",
  "/search?q=rent",
  "/api/episodes",
  "/api/articles",
  "/api/press",
  "/api/search?q=housing",
  "/no/such/page",
  "/admin/login",
];
