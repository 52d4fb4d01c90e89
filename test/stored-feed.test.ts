import { createHash } from "node:crypto";
import { eq, getTableColumns, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { deleteEpisode, updateEpisode } from "#worker/episodes/commands.ts";
import { readFeedDocument } from "#worker/episodes/feed-queries.ts";
import { PARTS_VERSION } from "#worker/episodes/rss.ts";
import { hasOldFeedItems, renewFeedItems } from "#worker/episodes/stored-feed.ts";
import { episodes, feedItems } from "#worker/episodes/table.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { fetchSite, jobContext, ownerContext } from "./support/client.ts";
import { publishedEpisode, savedShow, storedImage } from "./support/factories.ts";

const FEED = "/rss/podcast.xml";
const { db } = ownerContext();
const ids: number[] = [];

beforeAll(async () => {
  await savedShow();
  const imageFileId = (await storedImage()).id;
  for (const episodeType of ["trailer", "full"] as const) {
    const { id } = await publishedEpisode({
      title: "The roster & the river",
      description: "Of rent.",
      showNotes: "[A link](/about)",
      episodeType,
      imageFileId,
      imageAlt: "A river",
      seasonNumber: 1,
      episodeNumber: episodeType === "full" ? 2 : null,
      transcript: "WEBVTT\n\n00:00.000 --> 00:05.000\nThis is Plain Ground.\n",
      chapters: [{ start: 0, title: "Nine days", url: null }],
      people: [{ name: "Maren", role: "guest", group: "cast", href: "https://example.com/maren" }],
      soundbites: [{ start: 5, duration: 30, title: "A call" }],
    });
    ids.push(id);
  }
});

const { version: _version, ...columns } = getTableColumns(feedItems);
const stored = () => db.select(columns).from(feedItems).orderBy(feedItems.episodeId);
const idsOf = (rows: { episodeId: number }[]) => rows.map(({ episodeId }) => episodeId);
const fresh = async () => (await readFeedDocument(ownerContext())).xml;

async function read() {
  const response = await fetchSite(FEED);
  const timing = response.headers.get("Server-Timing") ?? "";
  return { xml: await response.text(), statements: Number(/(\d+) statements/.exec(timing)?.[1]) };
}

/** Changes the stored XML, so that a test notices whether a request joined it or rendered the item again. */
const spoil = (id: number) =>
  db.update(feedItems).set({ essentials: "<item><title>Spoilt</title>" }).where(eq(feedItems.episodeId, id));

test("a request stores the XML of its items, and the next one joins it", async () => {
  expect((await read()).xml).toBe(await fresh());
  expect(idsOf(await stored())).toEqual(ids);
  await spoil(ids[0]!);
  const { xml, statements } = await read();
  expect(xml.split("<title>Spoilt</title>").length).toBe(2);
  expect(statements).toBe(2);
  await db.delete(feedItems);
});

test("after a change of one episode, only its item is rendered again", async () => {
  await read();
  await spoil(ids[0]!);
  await updateEpisode(ownerContext(), ids[1]!, { title: "Renamed" });
  const { xml } = await read();
  expect(xml).toContain("<title>Renamed</title>");
  expect(xml).toContain("<title>Spoilt</title>");
  await updateEpisode(ownerContext(), ids[0]!, { title: "Renamed, too" });
  expect((await read()).xml).toBe(await fresh());
});

test("an item that was stored by a request which had read it before a change is rendered again", async () => {
  await read();
  const [before] = await db.select().from(feedItems).where(eq(feedItems.episodeId, ids[0]!));
  await updateEpisode(ownerContext(), ids[0]!, { title: "After the change" });
  await read();
  // The slower of two requests stores what it read.
  await db.update(feedItems).set(before!).where(eq(feedItems.episodeId, ids[0]!));
  expect((await read()).xml).toBe(await fresh());
});

test("the language, the prefix of op3.dev and the podcast’s other facts are those of now", async () => {
  await read();
  const changes = [
    () => savedShow({ language: "de", title: "Auf dem Boden" }),
    () => updateSite(ownerContext(), { analytics: { ...siteDefaults.analytics, op3: true } }),
    () => updateSite(ownerContext(), { analytics: siteDefaults.analytics }),
    () => savedShow(),
  ];
  for (const change of changes) {
    const before = (await read()).xml;
    await change();
    const { xml } = await read();
    expect(xml).toBe(await fresh());
    expect(xml).not.toBe(before);
  }
});

test("a feed whose items cannot be stored is rendered", async () => {
  await db.delete(feedItems);
  await db.run(sql`create trigger full before insert on feed_items begin select raise(abort, 'full'); end`);
  expect((await read()).xml).toBe(await fresh());
  expect(await stored()).toEqual([]);
  await db.run(sql`drop trigger full`);
});

test("the cron stores items that are new or of an older form, and deletes those that left the feed", async () => {
  await db.delete(feedItems);
  await renewFeedItems(jobContext());
  const made = await stored();
  expect(idsOf(made)).toEqual(ids);
  await db.update(feedItems).set({ form: "0", essentials: "" });
  const next = (await publishedEpisode()).id;
  await renewFeedItems(jobContext());
  expect(await stored()).toEqual([...made, expect.objectContaining({ episodeId: next })]);

  await updateEpisode(ownerContext(), next, { status: "archived" });
  await db.update(feedItems).set({ form: "0" });
  await renewFeedItems(jobContext());
  expect(idsOf(await stored())).toEqual(ids);
  await updateEpisode(ownerContext(), next, { status: "published" });
  await read();
  await deleteEpisode(ownerContext(), next);
  expect(idsOf(await stored())).toEqual(ids);
  expect((await read()).xml).toBe(await fresh());
});

test("the cron deletes the item of an episode whose audio file has no row, and is done", async () => {
  await read();
  const { id } = await publishedEpisode();
  await read();
  await db.update(episodes).set({ audioFileId: "lost" }).where(eq(episodes.id, id));
  await db.update(feedItems).set({ form: "0" });
  await renewFeedItems(jobContext());
  expect(idsOf(await stored())).toEqual(ids);
  expect(await hasOldFeedItems(jobContext())).toBe(false);
  await deleteEpisode(ownerContext(), id);
});

/**
 * SHA-256 of what this version makes of an episode with everything. Where it is another: raise `PARTS_VERSION`, and write
 * both here.
 */
const made = { version: 3, digest: "e38a565c3070459df7abd2c226b2118800ca3fabb73da34d154a54be962747ba" };

test("PARTS_VERSION is raised when the XML of an item changes", async () => {
  await updateEpisode(ownerContext(), ids[0]!, {
    title: "The roster & the river",
    youtubeUrl: "https://www.youtube.com/watch?v=example",
    people: [{ name: "Maren Oakleigh", role: "guest" }],
    places: [{ name: "Wirrabee", rel: "creator", geo: "-33.91,151.16", osm: "R1", country: "AU" }],
    funding: [{ url: "https://example.com/clinic", text: "Give" }],
    discussions: [{ protocol: "activitypub", url: "https://social.example/@imogen/1", account: "@imogen" }],
  });
  await db.delete(feedItems);
  await read();
  const [{ trailer, essentials, summary, description, rest, notes }] = (await stored()) as [
    Omit<typeof feedItems.$inferSelect, "version">,
  ];
  const xml = [trailer, essentials, summary, description, rest, notes]
    .join("\n")
    .replaceAll(/[\da-f-]{36}|\/episode\/\d+|\w{3}, \d\d \w{3} \d{4} [\d:]+/g, "")
    .replaceAll(/(?<=\/media\/)[^"]+/g, "");
  const digest = createHash("sha256").update(xml).digest("hex");
  expect({ version: PARTS_VERSION, digest }, xml).toEqual(made);
});
