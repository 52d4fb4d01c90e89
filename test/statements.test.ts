import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { api, documents, matcherOf, pages, type Address } from "#worker/addresses.ts";
import { refreshWholeSearch } from "#worker/discovery/search-refresh.ts";
import { clearCache } from "#worker/platform/http/cache.ts";
import { playlists } from "#worker/playlists/table.ts";
import { archivedLetter, setArchive } from "./support/archive.ts";
import { publishedArticle } from "./support/articles.ts";
import { fetchSite, jobContext, SITE } from "./support/client.ts";
import { setComments } from "./support/comments.ts";
import { publishedEpisode, savedShow, storedImage } from "./support/factories.ts";
import { fillPlaylist, listenerContext } from "./support/listeners.ts";
import { setAccounts } from "./support/members.ts";
import worker from "./support/worker.ts";

const PLAYLIST = crypto.randomUUID();

/**
 * What each address asks of D1 when nothing is cached: statements, and the round trips in which they travel. When it is
 * cached, nothing. More than this is a decision, which belongs here.
 */
const costs: Record<string, [statements: number, roundTrips: number]> = {
  "/": [6, 1],
  "/about": [4, 1],
  "/mission": [3, 1],
  "/three-es": [3, 1],
  "/media-kit": [3, 1],
  // The days of the last month begin by the site's time zone, which is read first.
  "/how-we-count": [4, 2],
  "/guest": [3, 1],
  "/contact": [3, 1],
  "/account": [2, 1],
  "/privacy-policy": [3, 1],
  "/terms-of-service": [3, 1],
  "/podcast": [3, 1],
  "/listen": [2, 1],
  "/episode/1": [3, 1],
  // Site, show, the names in all episodes, and the profile; then their episodes.
  "/people/ada-wren": [5, 2],
  "/conversations": [3, 1],
  "/essays": [3, 1],
  "/essays/an-essay": [3, 1],
  "/letters": [3, 1],
  "/letters/1": [3, 1],
  "/media": [4, 1],
  "/petitions": [3, 1],
  "/speaking": [4, 1],
  "/speaking/book": [3, 1],
  // Documents, moments in transcripts, and whether rows are still to be indexed. Both are searched again for longer
  // words, since the word itself does not fill the page.
  "/search?q=rent": [7, 2],
  "/api/search?q=rent": [5, 2],
  // What is shown instead of results.
  "/search?q=": [4, 2],
  "/podcast.data?_routes=site%2Fpodcast%2Fpage": [3, 1],
  // The show decides whether the feed is still the same; then its items, whose XML is stored.
  "/rss/podcast.xml": [2, 2],
  "/rss/essays.xml": [3, 2],
  "/rss/letters.xml": [3, 2],
  [`/playlists/${PLAYLIST}`]: [4, 1],
  [`/rss/playlists/${PLAYLIST}.xml`]: [4, 1],
  // Site, show, and the episode; or the playlist and its episodes.
  "/embed/episode/1": [3, 1],
  [`/embed/playlist/${PLAYLIST}`]: [4, 1],
  [`/oembed?url=${SITE}/episode/1`]: [3, 1],
  "/episode/1/chapters.json": [1, 1],
  "/episode/1/transcript.vtt": [1, 1],
  "/episode/1/transcript.srt": [1, 1],
  "/episode/1/transcript.json": [1, 1],
  "/episode/1/transcript.txt": [1, 1],
  "/sitemap.xml": [7, 1],
  "/llms.txt": [5, 1],
  "/manifest.webmanifest": [1, 1],
  "/robots.txt": [0, 0],
  "/.well-known/security.txt": [1, 1],
  "/api/episodes": [1, 1],
  "/api/episodes/1": [1, 1],
  "/api/articles": [1, 1],
  "/api/articles/an-essay": [1, 1],
  "/api/press": [2, 1],
  "/api/comments?contentType=article&contentId=1": [1, 1],
};

beforeAll(async () => {
  await setComments(true);
  await setArchive(true);
  await setAccounts(true);
  expect(await archivedLetter()).toBe(1);
  const { id: imageFileId } = await storedImage();
  await savedShow({ artworkFileId: imageFileId });
  const chapters = [{ start: 0, title: "Beginning", url: null }];
  const transcript = "WEBVTT\n\n00:00.000 --> 00:02.000\n<v A>The rent.";
  const { id } = await publishedEpisode({
    imageFileId,
    chapters,
    transcript,
    people: [{ name: "Ada Wren" }],
  });
  const { db } = await listenerContext();
  await db.insert(playlists).values({
    id: PLAYLIST,
    listener: "",
    name: "A list",
    description: "",
    isPublic: true,
    createdAt: new Date(),
    updatedAt: new Date(),
  });
  await fillPlaylist(PLAYLIST, [id]);
  await publishedArticle({ slug: "an-essay", content: "On rent.", imageFileId });
  await refreshWholeSearch(jobContext());
  await fetchSite("/rss/podcast.xml");
});

async function ask(path: string) {
  const execution = createExecutionContext();
  const bindings = { ...env, EDGE_CACHE: "on" } as Env;
  const response = await worker.fetch(new Request(`${SITE}${path}`) as never, bindings, execution);
  await response.text();
  await waitOnExecutionContext(execution);
  const timing = response.headers.get("Server-Timing") ?? "";
  const [, statements, roundTrips] = /(\d+) statements, (\d+) round trips/.exec(timing) ?? [];
  return { status: response.status, timing, cost: [Number(statements), Number(roundTrips)] };
}

test.each(Object.entries(costs))(
  "%s costs D1 no more than %j, and nothing once it is cached",
  async (path, cost) => {
    clearCache();
    const cold = await ask(path);
    expect(cold.status).toBe(200);
    expect(cold.cost).toEqual(cost);
    expect((await ask(path)).timing).toBe('cache;desc="hit"');
  },
);

test.each(["/essays/an-essay", "/episode/1"])("%s costs no more with comments than without", async (path) => {
  await setComments(false);
  clearCache();
  expect((await ask(path)).cost).toEqual(costs[path]);
  await setComments(true);
});

const cached = Object.entries<Address & { isPersonal?: true }>({ ...pages, ...documents, ...api }).filter(
  ([, { isPersonal }]) => !isPersonal,
);
test.each(cached)("%s is listed here with its cost", (path, address) => {
  const find = matcherOf({ [path]: address });
  expect(Object.keys(costs).some((asked) => find(new URL(asked, SITE).pathname))).toBe(true);
});
