import { eq } from "drizzle-orm";
import { parseFeed } from "podcast-partytime";
import { parseRssFeed } from "feedsmith";
import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import { createArticle } from "#worker/articles/commands.ts";
import { createEpisode, updateEpisode } from "#worker/episodes/commands.ts";
import { readFeedDocument } from "#worker/episodes/feed-queries.ts";
import { outbox } from "#worker/platform/table.ts";
import { deliverOutbox } from "#worker/platform/work/outbox.ts";
import { deliverPodping, PODPING_TOPIC } from "#worker/websub/podping.ts";
import { jobContext, ownerContext, SITE, visitorContext } from "./support/client.ts";
import { anEpisode, savedShow } from "./support/factories.ts";
import type { Ping } from "./support/hub-server.ts";

const HUB = `http://127.0.0.1:${inject("hub")}`;
/** The token in podping.cloud's own examples. */
const TOKEN = "Blahblah^^12345678";
const now = new Date();
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);
const MINUTE = 60_000;
const { db } = jobContext();

const withPodping = (path: string) => ({
  config: { ...jobContext().config, podping: { token: TOKEN, url: `${HUB}/${path}` } },
});
const owner = (path: string, milliseconds = 0) =>
  ownerContext({ now: later(milliseconds), ...withPodping(path) });
const notices = () => db.select().from(outbox).where(eq(outbox.topic, PODPING_TOPIC));
const receivedBy = async (name: string) => (await fetch(`${HUB}/${name}/received`)).json<Ping[]>();

/** Delivers what waits, as if it were `at`. */
async function deliver(at: Date, options: object) {
  for (const { id } of await notices())
    await deliverOutbox(jobContext({ now: at, ...options }), id, { [PODPING_TOPIC]: deliverPodping });
  return notices();
}

beforeEach(async () => {
  await db.delete(outbox);
  await savedShow();
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

test("Podping is notified once of a changed podcast feed, with the token, and not of essays", async () => {
  await createArticle(owner("podping-once/ok"), { title: "Essay for Podping", status: "published" });
  expect(await notices()).toEqual([]);
  const { id } = await createEpisode(owner("podping-once/ok"), anEpisode({ status: "published" }));
  await updateEpisode(owner("podping-once/ok", 10_000), id, { title: "Renamed" });
  expect(await deliver(later(20_000), withPodping("podping-once/ok"))).toMatchObject([{ doneAt: null }]);
  expect(await receivedBy("podping-once")).toEqual([]);
  expect(await deliver(later(MINUTE), withPodping("podping-once/ok"))).toMatchObject([
    { doneAt: later(MINUTE) },
  ]);
  expect(await receivedBy("podping-once")).toEqual([
    {
      method: "GET",
      type: "",
      body: "",
      query: new URLSearchParams({ url: `${SITE}/rss/podcast.xml` }).toString(),
      authorization: TOKEN,
      userAgent: `Rostrum (${SITE})`,
    },
  ]);
});

test("Podping is not notified of drafts, and of nothing without a token", async () => {
  await createEpisode(owner("podping-quiet/ok"), anEpisode());
  await createEpisode(ownerContext(), anEpisode({ status: "published" }));
  expect(await notices()).toEqual([]);
});

test("a busy Podping is notified again later", async () => {
  await createEpisode(owner("podping-busy/busy"), anEpisode({ status: "published" }));
  const [row] = await deliver(later(MINUTE), withPodping("podping-busy/busy"));
  expect(row).toMatchObject({ doneAt: null, failedAt: null, attempts: 1 });
  expect(row!.lastError).toMatch(/Podping answered 503 Come back later\./);
  expect(await deliver(later(3 * MINUTE), withPodping("podping-busy/ok"))).toMatchObject([{ attempts: 2 }]);
  expect((await notices())[0]!.doneAt).toEqual(later(3 * MINUTE));
});

test("a refused token is reported, and not tried again", async () => {
  await createEpisode(owner("podping-no/refused"), anEpisode({ status: "published" }));
  const [row] = await deliver(later(MINUTE), withPodping("podping-no/refused"));
  expect(row).toMatchObject({ failedAt: later(MINUTE), doneAt: null });
  expect(row!.lastError).toContain("Podping answered 401 Invalid authorization token.");
});

test("the token is not stored with an answer that repeats it", async () => {
  await createEpisode(owner("podping-echo/echo"), anEpisode({ status: "published" }));
  const [row] = await deliver(later(MINUTE), withPodping("podping-echo/echo"));
  expect(row!.lastError).toContain("Podping answered 400 Bad header: …");
});

test("the token is sent to no other address", async () => {
  await createEpisode(owner("podping-away/moved"), anEpisode({ status: "published" }));
  const [row] = await deliver(later(MINUTE), withPodping("podping-away/moved"));
  expect(row!.lastError).toContain("Podping answered 307");
  expect(await receivedBy("podping-away")).toHaveLength(1);
});

test("the feed says that it uses Podping while there is a token", async () => {
  const read = async (options: object) => (await readFeedDocument(visitorContext(options))).xml;
  const xml = await read(withPodping("podping-feed/ok"));
  expect(parseRssFeed(xml).podcast?.podping).toEqual({ usesPodping: true });
  expect(parseFeed(xml)).toMatchObject({ title: "Plain Ground" });
  expect(await read({})).not.toContain("podping");
});
