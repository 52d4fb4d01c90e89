import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createArticle } from "#worker/articles/commands.ts";
import { readArticleForEdit } from "#worker/articles/owner-queries.ts";
import { episodes, shows } from "#worker/episodes/table.ts";
import { files } from "#worker/files/table.ts";
import { dropTransfer } from "#worker/files/transfers.ts";
import { findKnownArticles } from "#worker/imports/importers/queries.ts";
import { fetchSiteDocument } from "#worker/imports/importers/site.ts";
import { createFeedImport } from "#worker/imports/feed/commands.ts";
import { readFeedDetails } from "#worker/imports/feed/queries.ts";
import { readTranscriptOf } from "#worker/imports/feed/side-files.ts";
import { addItems, createImport, startImport } from "#worker/imports/import-commands.ts";
import { importKinds } from "#worker/imports/registry.ts";
import { importItems } from "#worker/imports/table.ts";
import { workOn } from "#worker/imports/work.ts";
import { outbox } from "#worker/platform/table.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { HOLD_MS, WEBSUB_TOPIC } from "#worker/websub/ping.ts";
import { fetchSite, jobContext, ownerContext, SITE } from "./support/client.ts";
import { savedShow } from "./support/factories.ts";
import { itemRows, lapseClaims, progressOf, workThrough } from "./support/imports.ts";
import { killedAfter } from "./support/killed.ts";
import {
  anItem,
  askedFor,
  audioOf,
  digestOf,
  digestOfAudio,
  episodeBy,
  HOST,
  moved,
  mover,
  movingJob,
  nextSeed,
  serve,
  servedFeed,
} from "./support/moving.ts";
import { pngOf } from "./support/png.ts";

const MB = 1024 * 1024;
const MINUTE = 60_000;

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

const unfinishedFiles = () => jobContext().db.select().from(files).where(eq(files.status, "uploading"));
const inMinutes = (minutes: number) => movingJob({ now: new Date(Date.now() + minutes * MINUTE) });

describe("an imported episode", () => {
  it("has all fields of the old feed, and its GUID byte for byte", async () => {
    const seed = nextSeed();
    const guid = ` https://old.example/?p=${seed}&x=<é> `;
    const path = `/side/${seed}`;
    await serve(
      {
        path: `${path}/c.json`,
        body: JSON.stringify({
          chapters: [
            { startTime: 0, title: "One" },
            { startTime: 2.5, title: "Two", url: "https://a.example/" },
            { startTime: 3, title: "Hidden", toc: false, endTime: 4, img: "https://a.example/p.jpg" },
            { startTime: 4, title: "Three", endTime: 900 },
            { startTime: 900, title: "Late" },
          ],
        }),
      },
      { path: `${path}/t.srt`, body: "1\n00:00:01,000 --> 00:00:02,000\nHello there.\n" },
      { path: `${path}/t.html`, body: "<p>Hello</p>" },
    );
    await moved([
      anItem({
        seed,
        guid,
        more: `<itunes:season>2</itunes:season><itunes:episode>7</itunes:episode><itunes:episodeType>bonus</itunes:episodeType>
          <itunes:explicit>yes</itunes:explicit><itunes:duration>0:06</itunes:duration><itunes:block>Yes</itunes:block>
          <link>https://www.youtube.com/watch?v=abc</link>
          <description>Rent &amp;amp; land.</description>
          <content:encoded><![CDATA[<h2>On rent</h2><p>Some <b>words</b> &amp; a <a href="https://a.example/">link</a>.</p><ul><li>One</li></ul><script>alert(1)</script>]]></content:encoded>
          <podcast:person role="guest" href="https://p.example/">Ada</podcast:person><podcast:person group="x" role="y">Bo</podcast:person>
          <podcast:soundbite startTime="1" duration="60">Too long for it</podcast:soundbite>
          <podcast:chapters url="${HOST}${path}/c.json" type="application/json+chapters"/>
          <podcast:transcript url="${HOST}${path}/t.html" type="text/html"/>
          <podcast:transcript url="${HOST}${path}/t.srt" type="application/srt"/>`,
      }),
    ]);
    const episode = await episodeBy(guid);
    expect(episode).toMatchObject({
      title: `Episode ${seed}`,
      status: "published",
      publishedAt: new Date("2026-02-03T10:00:00Z"),
      seasonNumber: 2,
      episodeNumber: 7,
      episodeType: "bonus",
      explicit: true,
      blocked: true,
      youtubeUrl: "https://www.youtube.com/watch?v=abc",
      description: "Rent & land.",
      showNotes: "## On rent\n\nSome **words** & a [link](https://a.example/).\n\n- One",
      people: [
        { name: "Ada", group: "cast", role: "guest", href: "https://p.example/" },
        { name: "Bo", group: "cast", role: "guest", href: null },
      ],
      soundbites: [],
      chapters: [
        { start: 0, title: "One", url: null },
        { start: 2.5, title: "Two", url: "https://a.example/" },
        { start: 3, title: "Hidden", url: null, img: "https://a.example/p.jpg", end: 4, toc: false },
        { start: 4, title: "Three", url: null },
      ],
      cues: [{ start: 1, end: 2, speaker: "", text: "Hello there." }],
    });
    const { file, digest } = await audioOf(episode?.audioFileId);
    expect(file).toMatchObject({ size: 100_000, type: "audio/mpeg", status: "complete" });
    expect(digest).toBe(await digestOfAudio(seed, 100_000));
  });

  it("may lack season, number and most other fields", async () => {
    const seed = nextSeed();
    await moved([anItem({ seed, title: undefined, pubDate: "soon" })]);
    expect(await episodeBy(`guid-${seed}`)).toMatchObject({
      title: "Untitled",
      seasonNumber: null,
      episodeNumber: null,
      episodeType: "full",
      status: "draft",
      publishedAt: null,
      imageFileId: null,
      showNotes: "",
    });
  });

  it.each([
    ["Tue, 31 Feb 2026 10:00:00 +0000", "Its date or time doesn’t exist."],
    ["02/03/2026", "Its date could be day-month or month-day."],
    ["Tue, 03 Feb 2026 10:00:00 IST", "The time zone of its date is unknown, or stands for several."],
    ["soon", "Its date can’t be read."],
  ])("whose date is %s becomes a draft without one, with the reason", async (pubDate, problem) => {
    const seed = nextSeed();
    const id = await moved([anItem({ seed, pubDate })]);
    const message = `${problem} It becomes a draft. The feed has “${pubDate}”.`;
    expect(await itemRows(id)).toMatchObject([{ state: "done", message }]);
    expect(await episodeBy(`guid-${seed}`)).toMatchObject({ status: "draft", publishedAt: null });
  });

  it("is a draft with its date if the owner wants drafts", async () => {
    const [past, future] = [nextSeed(), nextSeed()];
    const date = "Sat, 03 Feb 2074 10:00:00 +0000";
    const url = await servedFeed([anItem({ seed: past }), anItem({ seed: future, pubDate: date })]);
    const { id } = await createFeedImport(mover(), { url });
    await startImport(mover(), id, { as: "draft" });
    await workThrough(id, movingJob());
    expect(await episodeBy(`guid-${past}`)).toMatchObject({
      status: "draft",
      publishedAt: new Date("2026-02-03T10:00:00Z"),
    });
    expect(await episodeBy(`guid-${future}`)).toMatchObject({ status: "draft", publishedAt: null });
    expect(await itemRows(id)).toMatchObject([
      { message: null },
      { message: `Its date is in the future, so it has none here. The feed has “${date}”.` },
    ]);
  });

  it("names chapters of a file that have no time or title of their own", async () => {
    const [seed, path] = [nextSeed(), `/c/${nextSeed()}.json`];
    const chapters = ["Start", "Again", "\u202e"].map((title, at) => ({
      startTime: at === 2 ? 1 : 0,
      title,
    }));
    await serve({ path, body: JSON.stringify({ version: "1.2.0", chapters }) });
    const more = `<podcast:chapters url="${HOST}${path}" type="application/json+chapters"/>`;
    const id = await moved([anItem({ seed, more })]);
    expect(await itemRows(id)).toMatchObject([
      { message: "Chapters without a title or a time of their own aren’t imported." },
    ]);
    expect(await episodeBy(`guid-${seed}`)).toMatchObject({ chapters: [{ start: 0, title: "Start" }] });
  });

  it("keeps its note about what was left out", async () => {
    const id = await moved([
      anItem({
        more: "<link>https://old.example/1</link><podcast:value/><itunes:episode>0</itunes:episode>",
      }),
    ]);
    const left =
      "Its episode number isn’t a whole number from 1, so it isn’t imported. The link to its old page isn’t imported. Its “podcast:value” isn’t imported.";
    expect(await itemRows(id)).toMatchObject([{ state: "done", message: left }]);
  });

  it("lists everything that was left out, however long", async () => {
    const names = Array.from({ length: 12 }, (_, n) => `podcast:${"longer".repeat(8)}${n}`);
    const id = await moved([anItem({ more: names.map((name) => `<${name}/>`).join("") })]);
    const message = names.map((name) => `Its “${name}” isn’t imported.`).join(" ");
    expect(message.length).toBeGreaterThan(900);
    expect(await itemRows(id)).toMatchObject([{ state: "done", message }]);
  });

  it("is imported although another one has a copy of its audio", async () => {
    const items = [anItem(), anItem()];
    const id = await moved(items);
    expect(await itemRows(id)).toMatchObject(items.map(() => ({ state: "done", message: null })));
  });

  it("is imported although its feed states its length in milliseconds", async () => {
    const seed = nextSeed();
    const id = await moved([anItem({ seed, more: "<itunes:duration>3723000</itunes:duration>" })]);
    expect(await itemRows(id)).toMatchObject([{ state: "done", message: null }]);
    expect((await episodeBy(`guid-${seed}`))?.durationSeconds).toBe(6);
  });

  it("dates the feed, and the ping of its hub, by the time at which it was stored", async () => {
    await savedShow();
    await updateSite(mover(), { hubUrl: "http://127.0.0.1:1/" });
    const seed = nextSeed();
    const { id } = await createFeedImport(mover(), { url: await servedFeed([anItem({ seed })]) });
    await startImport(mover(), id);
    const began = new Date(Date.now() + 60 * MINUTE);
    const there = new Date(began.getTime() + 50_000);
    await workThrough(id, movingJob({ now: began, clock: () => there }));
    await updateSite(mover(), { hubUrl: "" });
    const { db } = jobContext();
    const [show] = await db.select({ date: shows.feedChangedAt }).from(shows);
    // Each statement of a batch that touches the feed uses its own millisecond.
    expect(show!.date.getTime() - there.getTime()).toBeOneOf([0, 1]);
    const pings = await db.select().from(outbox).where(eq(outbox.topic, WEBSUB_TOPIC));
    expect(pings.map(({ notBefore }) => notBefore)).toEqual([new Date(there.getTime() + HOLD_MS)]);
  });

  it("with a date in the future is scheduled; a trailer has no number", async () => {
    const seed = nextSeed();
    const date = new Date(Date.now() + 86_400_000);
    date.setMilliseconds(0);
    await moved([
      anItem({
        seed,
        pubDate: date.toUTCString(),
        more: "<itunes:episodeType>trailer</itunes:episodeType><itunes:episode>3</itunes:episode><itunes:season>4</itunes:season>",
      }),
    ]);
    expect(await episodeBy(`guid-${seed}`)).toMatchObject({
      status: "scheduled",
      scheduledFor: date,
      episodeNumber: null,
      seasonNumber: 4,
    });
  });

  it("gets its picture, which is stored once for all that share it, but not the podcast's own", async () => {
    const seed = nextSeed();
    const bytes = await pngOf(1400, 1400);
    const picture = { headers: { "Content-Type": "image/png" }, bytes: bytes.toBase64() };
    await serve({ path: `/pic/${seed}.png`, ...picture });
    const image = `<itunes:image href="${HOST}/pic/${seed}.png"/>`;
    const own = `<itunes:image href="${HOST}/pic/show-${seed}.png"/>`;
    const seeds = ["a", "b", "c"].map((name) => `${name}${seed}`);
    await moved(
      [
        anItem({ seed: seeds[0], more: image }),
        anItem({ seed: seeds[1], more: image }),
        anItem({ seed: seeds[2], more: own }),
      ],
      own,
    );
    const [one, two, three] = await Promise.all(seeds.map((each) => episodeBy(`guid-${each}`)));
    expect(one?.imageFileId).toBeTruthy();
    expect(two?.imageFileId).toBe(one?.imageFileId);
    expect(three?.imageFileId).toBeNull();
    expect(await audioOf(one?.imageFileId)).toMatchObject({
      file: { width: 1400, type: "image/png" },
      digest: await digestOf(bytes),
    });
    expect(await askedFor(`/pic/${seed}.png`)).toHaveLength(1);
  });

  it("without its missing side files is imported with a note", async () => {
    const seed = nextSeed();
    await serve({ path: `/bad/${seed}.vtt`, body: "WEBVTT\n\nno time here\n" });
    const id = await moved([
      anItem({
        seed,
        more: `<itunes:image href="${HOST}/gone/${seed}.png"/>
          <podcast:transcript url="${HOST}/bad/${seed}.vtt" type="text/vtt"/>
          <podcast:chapters url="http://192.168.0.1/c.json" type="application/json"/>`,
      }),
    ]);
    const [item] = await itemRows(id);
    expect(item).toMatchObject({ state: "done" });
    expect(item?.message).toContain("Imported without its picture: There is nothing at its address (404).");
    expect(item?.message).toContain(
      "Imported without its chapters: Its address isn’t public, so it wasn’t fetched.",
    );
    expect(item?.message).toContain("Imported without its transcript: Line 3");
  });
});

describe("a transcript in JSON", () => {
  const withTranscript = async (segments: string) => {
    const seed = nextSeed();
    await serve({ path: `/t/${seed}.json`, body: `{"segments":[${segments}]}` });
    const more = `<podcast:transcript url="${HOST}/t/${seed}.json" type="application/json"/>`;
    const id = await moved([anItem({ seed, more })]);
    return { item: (await itemRows(id))[0], episode: await episodeBy(`guid-${seed}`) };
  };

  it("is imported without its segments that have no valid times", async () => {
    const { item, episode } = await withTranscript(
      `null, "x", {"startTime":"1","endTime":2,"speaker":1,"body":"Hello."},
        {"startTime":"00:00:03","endTime":"00:00:04","body":"Not lost."},
        {"startTime":4,"endTime":1e999,"body":"Lost, too."}`,
    );
    expect(item).toMatchObject({
      state: "done",
      message: "Its transcript: 3 places can’t be read, and are left out.",
    });
    expect(episode?.cues).toEqual([
      { start: 1, end: 2, speaker: "Speaker 1", text: "Hello." },
      { start: 3, end: 4, speaker: "", text: "Not lost." },
    ]);
  });

  it("is imported without cues after the end of the recording", async () => {
    const { item, episode } = await withTranscript(
      `{"startTime":1,"endTime":2,"body":"Hello."}, {"startTime":90000,"endTime":90001,"body":"Of another."}`,
    );
    expect(item).toMatchObject({
      state: "done",
      message: "Transcript text after its end was left out.",
    });
    expect(episode?.cues).toEqual([{ start: 1, end: 2, speaker: "", text: "Hello." }]);
  });

  it("without any times is left out", async () => {
    const { item, episode } = await withTranscript(`{"startTime":null,"endTime":2,"body":"Hello."}`);
    expect(item).toMatchObject({
      state: "done",
      message: expect.stringMatching(/^Imported without its transcript: Line 1: segment 1 has no start/),
    });
    expect(episode?.cues).toEqual([]);
  });
});

describe("a transcript of a hostile host is refused after one pass", () => {
  const spaces = " ".repeat(4_000_000);

  it.each([
    ["HTML whose tags never end", "text/html", "<a".repeat(1_100_000), "600,000 characters"],
    ["HTML longer than any", "text/html", "<a".repeat(2_000_000), "2,400,000 characters of HTML"],
    [
      "JSON with spaces between two words",
      "application/json",
      `{"segments":[{"startTime":1,"endTime":2,"body":"A${spaces}B"}]}`,
      "600,000 characters",
    ],
  ])("a hostile transcript is refused: %s", async (_what, type, body, limit) => {
    const path = `/t/${nextSeed()}`;
    await serve({ path, body });
    const feed = { durationSeconds: 0, transcripts: [{ url: HOST + path, type }] };
    const read = readTranscriptOf(mover(), feed, Infinity);
    await expect(read).rejects.toMatchObject({ code: "invalid", message: `It is longer than ${limit}.` });
  });
});

describe("imported audio", () => {
  it.each([
    ["led there by redirects", "moved", 100_000],
    ["without ranges", "whole", 9 * MB],
    ["without a length", "endless", 9 * MB],
    ["of exactly two parts", "plain", 16 * MB],
    ["of exactly two parts without a length", "endless", 16 * MB],
  ])("%s is stored completely", async (_what, way, size) => {
    const seed = nextSeed();
    await moved([anItem({ seed, size, way, audio: { url: `${HOST}/audio/${seed}/${size}/${way}` } })]);
    const { file, digest } = await audioOf((await episodeBy(`guid-${seed}`))?.audioFileId);
    expect(file?.size).toBe(size);
    expect(digest).toBe(await digestOfAudio(seed, size));
  });

  it("that breaks off continues at the same byte, by a range", async () => {
    const seed = nextSeed();
    const size = 20 * MB;
    const { id } = await createFeedImport(mover(), {
      url: await servedFeed([anItem({ seed, size, way: "cut" })]),
    });
    await startImport(mover(), id);
    for (let minutes = 0; minutes < 6; minutes++) await workThrough(id, inMinutes(minutes));
    expect(await progressOf(id)).toMatchObject({
      state: "done",
      counts: { done: 1 },
      bytes: { total: size, moved: size },
    });
    expect((await audioOf((await episodeBy(`guid-${seed}`))?.audioFileId)).digest).toBe(
      await digestOfAudio(seed, size),
    );
    expect(await askedFor(`/audio/${seed}/${size}/cut`)).toEqual([
      "",
      `bytes=${8 * MB}-`,
      `bytes=${16 * MB}-`,
    ]);
  });

  it("that breaks off at a host without ranges is read from its beginning, and stored once", async () => {
    const seed = nextSeed();
    const size = 10 * MB;
    const { id } = await createFeedImport(mover(), {
      url: await servedFeed([anItem({ seed, size, way: "again" })]),
    });
    await startImport(mover(), id);
    for (let minutes = 0; minutes < 6; minutes++) await workThrough(id, inMinutes(minutes));
    const { file, digest } = await audioOf((await episodeBy(`guid-${seed}`))?.audioFileId);
    expect(file?.size).toBe(size);
    expect(digest).toBe(await digestOfAudio(seed, size));
    expect(await askedFor(`/audio/${seed}/${size}/again`)).toEqual(["", `bytes=${8 * MB}-`]);
  });

  it.each([
    ["of the same length", "changed", 10 * MB],
    ["of another length that the host does not say", "shrunk", 9 * MB],
    ["of another length at a host without ETags and dates", "unnamed", 9 * MB],
  ])("whose file has changed, %s, starts again", async (_what, way, size) => {
    const seed = nextSeed();
    const { id } = await createFeedImport(mover(), {
      url: await servedFeed([anItem({ seed, size: 10 * MB, way })]),
    });
    await startImport(mover(), id);
    for (let minutes = 0; minutes < 6; minutes++) await workThrough(id, inMinutes(minutes));
    const { digest } = await audioOf((await episodeBy(`guid-${seed}`))?.audioFileId);
    expect(digest).toBe(await digestOfAudio(`${seed}-2`, size));
  });

  it("that differs with each request is imported within one message", async () => {
    const seed = nextSeed();
    const size = 17 * MB;
    const { id } = await createFeedImport(mover(), {
      url: await servedFeed([anItem({ seed, size, way: "ads" })]),
    });
    await startImport(mover(), id);
    // Each part takes longer than a message may.
    let time = Date.now();
    await workThrough(id, movingJob({ clock: () => new Date((time += 41_000)) }));
    expect(await itemRows(id)).toMatchObject([{ state: "done" }]);
    const { digest } = await audioOf((await episodeBy(`guid-${seed}`))?.audioFileId);
    expect(digest).toBe(await digestOfAudio(`${seed}-4`, size));
  });

  it("that differs with each request, and breaks off, fails its episode", async () => {
    const seed = nextSeed();
    const size = 10 * MB;
    const { id } = await createFeedImport(mover(), {
      url: await servedFeed([anItem({ seed, size, way: "adscut" })]),
    });
    await startImport(mover(), id);
    for (let minutes = 0; minutes < 12; minutes++) await workThrough(id, inMinutes(minutes));
    expect(await itemRows(id)).toMatchObject([
      { state: "failed", message: "The host sends a different file each time." },
    ]);
    expect(await askedFor(`/audio/${seed}/${size}/adscut`)).toEqual(
      Array.from({ length: 8 }, (_, turn) => (turn % 2 === 0 ? "" : `bytes=${8 * MB}-`)),
    );
  });

  it.each([
    ["gone", "There is nothing at its address (404)."],
    ["page", "The host doesn’t send audio at its address."],
    ["private", "Its address redirects to one that isn’t public, so it wasn’t fetched."],
  ])("that is %s fails its episode, and leaves nothing", async (way, message) => {
    const seed = nextSeed();
    const id = await moved([anItem({ seed, way }), anItem()]);
    expect(await itemRows(id)).toMatchObject([{ state: "failed", message }, { state: "done" }]);
    expect(await episodeBy(`guid-${seed}`)).toBeUndefined();
    expect(await progressOf(id)).toMatchObject({ state: "done", counts: { done: 1, failed: 1 } });
  });

  it("from a busy host is retried automatically", async () => {
    const seed = nextSeed();
    const { id } = await createFeedImport(mover(), {
      url: await servedFeed([anItem({ seed, way: "busy" })]),
    });
    await startImport(mover(), id);
    await workThrough(id, movingJob());
    expect(await itemRows(id)).toMatchObject([
      { state: "waiting", message: "The host returned an error (503)." },
    ]);
    await workThrough(id, inMinutes(2));
    expect(await itemRows(id)).toMatchObject([{ state: "done", message: null }]);
  });

  it("larger than 500 MB is not started", async () => {
    const id = await moved([anItem({ size: 500 * MB + 1 })]);
    expect(await itemRows(id)).toMatchObject([
      { state: "failed", message: "The file is larger than 500 MB." },
    ]);
  });

  it("of exactly 500 MB is started", async () => {
    // The host breaks off early, so that the test does not move all of it.
    const id = await moved([anItem({ size: 500 * MB, way: "cut" })]);
    expect(await itemRows(id)).toMatchObject([
      { state: "waiting", moved: 8 * MB, message: "The connection to the host was lost." },
    ]);
    for (const file of await unfinishedFiles()) await dropTransfer(movingJob(), file.id);
  });
});

describe("a Worker that is killed", () => {
  it("after any statement leaves an episode that is imported once, and complete", async () => {
    const seed = nextSeed();
    const size = 17 * MB;
    const { id } = await createFeedImport(mover(), { url: await servedFeed([anItem({ seed, size })]) });
    await startImport(mover(), id);
    let isDead = true;
    for (let most = 3; isDead && most < 80; most += 4) {
      isDead = await killedAfter(most, movingJob(), (ctx) => workOn(ctx, id, importKinds));
      await lapseClaims(id);
      // A crash is not the item's fault: attempts in a row are tested elsewhere.
      await jobContext().db.run("update import_items set attempts = 0");
    }
    expect(isDead).toBe(false);
    const rows = await jobContext()
      .db.select()
      .from(episodes)
      .where(eq(episodes.guid, `guid-${seed}`));
    expect(rows).toHaveLength(1);
    expect((await audioOf(rows[0]!.audioFileId)).digest).toBe(await digestOfAudio(seed, size));
    expect(await itemRows(id)).toMatchObject([{ state: "done", result: String(rows[0]!.id) }]);
    // A row without parts is swept after a day; nothing else is left.
    expect((await unfinishedFiles()).filter(({ uploadId }) => uploadId !== null)).toEqual([]);
  });
});

describe("a site whose export and feed are both imported", () => {
  it("recognises the feed's episodes by their GUID or their enclosure", async () => {
    const guid = `guid-${nextSeed()}`;
    await moved([anItem({ guid })]);
    const { id } = (await episodeBy(guid))!;
    const [row] = await mover().db.select().from(importItems).where(eq(importItems.key, guid));
    const { url } = (row!.payload as { audio: { url: string } }).audio;
    const asked = [
      { guid, audio: "" },
      { guid: "", audio: url.replace("http:", "https:") },
      { guid: "other", audio: `${url}?other` },
      { guid: "", audio: "" },
    ];
    const known = await findKnownArticles(mover(), { keys: [], slugs: [], episodes: asked });
    expect(known.episodes).toEqual([id, id, null, null]);
  });

  it("gets a note on an episode whose text is here as an article", async () => {
    const guid = `guid-${nextSeed()}`;
    await createArticle(mover(), { title: `Notes ${nextSeed()}` }, { isImported: true, guid });
    const { id } = await createFeedImport(mover(), { url: await servedFeed([anItem({ guid })]) });
    expect(await itemRows(id)).toMatchObject([
      { message: expect.stringContaining("here as an article, too") },
    ]);
  });

  const leadsTo = async (path: string) => {
    const response = await fetchSite(path);
    await response.text();
    const location = response.headers.get("Location");
    return [response.status, location && new URL(location, SITE).pathname];
  };
  /**
   * A WordPress post of an episode, with its page on the podcast's own site, which the channel of the feed links to.
   */
  const postOf = (seed: number) => {
    const number = seed + 700_000;
    return {
      number,
      item: anItem({
        seed,
        guid: `https://old.example/?p=${number}`,
        more: `<link>https://www.old.example/2020/01/heard-${seed}/?utm_source=rss</link>`,
      }),
    };
  };

  it("redirects the feed's old addresses to the episode, but not those of other hosts", async () => {
    const [seed, other] = [nextSeed(), nextSeed()];
    const { item, number } = postOf(seed);
    await moved([item, anItem({ seed: other, more: `<link>https://host.example/show/${other}</link>` })]);
    const here = [301, `/episode/${(await episodeBy(item.guid!))!.id}`];
    for (const path of [`/2020/01/heard-${seed}/`, `/2020/01/HEARD-${seed}`, `/?p=${number}`])
      expect([path, ...(await leadsTo(path))]).toEqual([path, ...here]);
    expect((await leadsTo(`/show/${other}`))[0]).toBe(404);
  });

  it("joins an article that was imported first with its episode, or keeps both", async () => {
    const [joined, kept, byAddress] = [nextSeed(), nextSeed(), nextSeed()];
    const article = async (seed: number, fields: { guid?: string; oldAddresses?: string[] }) =>
      createArticle(
        mover(),
        { title: `Notes ${seed}`, slug: `notes-${seed}`, status: "published" },
        { isImported: true, ...fields },
      );
    const [one, two, three] = [postOf(joined), postOf(kept), postOf(byAddress)];
    const first = await article(joined, {
      guid: one.item.guid,
      oldAddresses: [`/2020/01/heard-${joined}/`, `/p/short-${joined}`],
    });
    const second = await article(kept, { guid: two.item.guid, oldAddresses: [`/p/short-${kept}`] });
    const third = await article(byAddress, { oldAddresses: [`/2020/01/heard-${byAddress}/`] });
    const run = async (items: Parameters<typeof servedFeed>[0], articles: "join" | "keep") => {
      const { id } = await createFeedImport(mover(), { url: await servedFeed(items) });
      const { plan } = await readFeedDetails(mover(), id);
      expect(plan.counts.articles).toBe(items.length);
      await startImport(mover(), id, { articles });
      await workThrough(id, movingJob());
      return itemRows(id);
    };
    const rows = await run([one.item, three.item], "join");
    expect(rows.map(({ state }) => state)).toEqual(["done", "done"]);
    for (const { message } of rows) expect(message).toContain("Its article is a draft now");
    await run([two.item], "keep");
    const statusOf = async (id: number) => (await readArticleForEdit(mover(), id)).values.status;
    expect([await statusOf(first.id), await statusOf(second.id), await statusOf(third.id)]).toEqual([
      "draft",
      "published",
      "draft",
    ]);
    const here = [301, `/episode/${(await episodeBy(one.item.guid!))!.id}`];
    for (const path of [
      `/2020/01/heard-${joined}/`,
      `/p/short-${joined}`,
      `/essays/notes-${joined}`,
      `/?p=${one.number}`,
    ])
      expect([path, ...(await leadsTo(path))]).toEqual([path, ...here]);
    expect(await leadsTo(`/p/short-${kept}`)).toEqual([301, `/essays/notes-${kept}`]);
    expect(await leadsTo(`/2020/01/heard-${kept}`)).toEqual([
      301,
      `/episode/${(await episodeBy(two.item.guid!))!.id}`,
    ]);
  });

  it("leaves an article public while its episode is not", async () => {
    const { item } = postOf(nextSeed());
    const { id: articleId } = await createArticle(
      mover(),
      { title: `Notes ${nextSeed()}`, status: "published" },
      { isImported: true, guid: item.guid },
    );
    const { id } = await createFeedImport(mover(), { url: await servedFeed([item]) });
    await startImport(mover(), id, { as: "draft", articles: "join" });
    await workThrough(id, movingJob());
    expect(await itemRows(id)).toMatchObject([
      { state: "done", message: expect.stringContaining("Its article stays") },
    ]);
    expect((await readArticleForEdit(mover(), articleId)).values.status).toBe("published");
  });

  it("redirects the addresses of an export that is imported after the feed to the episodes", async () => {
    const seed = nextSeed();
    await moved([anItem({ seed })]);
    const { id: episodeId } = (await episodeBy(`guid-${seed}`))!;
    const { id } = await createImport(mover(), { kind: "articles", source: "WordPress: a.xml" });
    const payload = { place: "episode", episodeId, oldAddresses: [`/2019/heard-${seed}/`] };
    const gone = { ...payload, episodeId: 999_999_999 };
    await addItems(mover(), id, {
      items: [
        { key: "a", title: "Heard", payload },
        { key: "b", title: "Gone", payload: gone },
      ],
    });
    await startImport(mover(), id);
    await workThrough(id, movingJob());
    expect((await itemRows(id)).map(({ state }) => state)).toEqual(["done", "failed"]);
    expect(await leadsTo(`/2019/heard-${seed}`)).toEqual([301, `/episode/${episodeId}`]);
  });
});

describe("a document of the articles' site", () => {
  it("is fetched, or null if missing", async () => {
    const path = `/site/${nextSeed()}`;
    await serve({ path, body: "<rss>Caf\u00e9</rss>" }, { path: `${path}/beyond`, status: 400, body: "{}" });
    expect(await fetchSiteDocument(mover(), { url: HOST + path })).toEqual({ text: "<rss>Café</rss>" });
    for (const address of [`${path}/beyond`, `${path}/missing`])
      expect(await fetchSiteDocument(mover(), { url: HOST + address })).toEqual({ text: null });
  });

  it("is refused with a message if the site does not respond, or is not public", async () => {
    const path = `/site/${nextSeed()}`;
    await serve({ path, status: 503 });
    await expect(fetchSiteDocument(mover(), { url: HOST + path })).rejects.toThrow(/couldn’t be read.*503/);
    await expect(fetchSiteDocument(ownerContext(), { url: HOST + path })).rejects.toThrow(/isn’t public/);
    await expect(fetchSiteDocument(mover(), { url: "hello" })).rejects.toThrow();
  });
});

describe("a second run of an import", () => {
  it("imports only what is new", async () => {
    const [one, two, three] = [anItem(), anItem(), anItem()];
    await moved([one, two]);
    const id = await moved([three, one, two]);
    expect(await progressOf(id)).toMatchObject({ counts: { total: 3, done: 1, skipped: 2, failed: 0 } });
    expect((await itemRows(id)).map(({ state, message }) => [state, message])).toEqual([
      ["done", null],
      ["skipped", "Already here."],
      ["skipped", "Already here."],
    ]);
  });
});

describe("the chapters inside the recording of an imported episode", () => {
  const recordings = import.meta.glob<string>("./fixtures/recordings/chapter-pictures-*.mp3", {
    query: "?inline",
    import: "default",
    eager: true,
  });

  async function movedWith(more: string, file = "chapter-pictures-2.4.mp3") {
    const seed = nextSeed();
    const bytes = recordings[`./fixtures/recordings/${file}`]!.replace(/^.*,/, "");
    await serve({ path: `/rec/${seed}.mp3`, bytes, headers: { "Content-Type": "audio/mpeg" } });
    const id = await moved([anItem({ seed, more, audio: { url: `${HOST}/rec/${seed}.mp3`, length: 3237 } })]);
    const [item] = await itemRows(id);
    return { item, episode: await episodeBy(`guid-${seed}`) };
  }

  it("are used with their pictures if the feed has none", async () => {
    const { item, episode } = await movedWith("");
    expect(item).toMatchObject({
      state: "done",
      message: expect.stringContaining(
        "Its chapters are those in its audio file. The picture of a chapter was left out: a BMP picture.",
      ) as string,
    });
    expect(episode?.chapters.map(({ start, title }) => [start, title])).toEqual([
      [0, "Cover"],
      [0.08, "Map"],
      [0.16, "Map again"],
      [0.24, "Old"],
      [0.32, "Linked"],
      [0.4, "Plain"],
    ]);
    const [, map, again] = episode!.chapters;
    expect(map?.img).toMatch(/^\/media\/podcast-images\//);
    expect(again?.img).toBe(map?.img);
  });

  it("have up to 30 pictures, and the report names those that are left out", async () => {
    const { item, episode } = await movedWith("", "chapter-pictures-many.mp3");
    expect(item?.message).toContain(
      "The pictures of 3 chapters were left out: only the first 30 different ones are used.",
    );
    expect(episode?.chapters.filter(({ img }) => img).length).toBe(30);
  });

  it("add their pictures to those of the feed", async () => {
    const { episode } = await movedWith(
      `<psc:chapters xmlns:psc="http://podlove.org/simple-chapters" version="1.2">
        <psc:chapter start="0:00" title="From the feed"/>
      </psc:chapters>`,
    );
    expect(episode?.chapters).toEqual([
      { start: 0, title: "From the feed", url: null, img: expect.stringMatching(/^\/media\//) as string },
    ]);
  });
});
