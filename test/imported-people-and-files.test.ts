import { and, eq, like } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { episodes } from "#worker/episodes/table.ts";
import { files } from "#worker/files/table.ts";
import { createFeedImport } from "#worker/imports/feed/commands.ts";
import { takeOverShow } from "#worker/imports/feed/after-commands.ts";
import { readFeedDetails } from "#worker/imports/feed/queries.ts";
import { startImport } from "#worker/imports/import-commands.ts";
import { createProfile } from "#worker/profiles/commands.ts";
import { profiles } from "#worker/profiles/table.ts";
import { jobContext, ownerContext } from "./support/client.ts";
import { savedShow } from "./support/factories.ts";
import { itemRows, progressOf, workThrough } from "./support/imports.ts";
import {
  anItem,
  askedFor,
  audioOf,
  audioUrl,
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

/** Tags as hosts write them: Transistor, Buzzsprout, RSS Blue, PeerTube and Castopod. */

vi.spyOn(console, "warn").mockImplementation(() => {});
const { db } = jobContext();

const portrait = await pngOf(400, 400);
const servePortrait = async (path: string) =>
  serve({ path, headers: { "Content-Type": "image/png" }, bytes: portrait.toBase64() });

const profileOf = async (name: string) =>
  (await db.select().from(profiles).where(eq(profiles.name, name)))[0];
const inMinutes = (minutes: number) => movingJob({ now: new Date(Date.now() + minutes * 60_000) });

describe("the portrait of an imported person", () => {
  it("is the picture of their profile, moved once for all episodes, as Transistor names people", async () => {
    const seed = nextSeed();
    const name = `Mark ${seed}`;
    await servePortrait(`/img/${seed}.png`);
    const more = `<podcast:person role="Host" href="https://blog.example/" img="${HOST}/img/${seed}.png">${name}</podcast:person>`;
    const id = await moved([anItem({ seed: `a${seed}`, more }), anItem({ seed: `b${seed}`, more })]);
    expect(await itemRows(id)).toMatchObject([
      { state: "done", message: null },
      { state: "done", message: null },
    ]);
    expect((await episodeBy(`guid-b${seed}`))?.people).toEqual([
      { name, group: "cast", role: "host", href: "https://blog.example/" },
    ]);
    const profile = await profileOf(name);
    expect(profile).toMatchObject({ slug: `mark-${seed}`, about: "" });
    const { file, digest } = await audioOf(profile?.imageFileId);
    expect(file).toMatchObject({ width: 400, type: "image/png", status: "complete" });
    expect(digest).toBe(await digestOf(portrait));
    expect(await askedFor(`/img/${seed}.png`)).toHaveLength(1);
  });

  it("does not replace a profile that the owner wrote", async () => {
    const seed = nextSeed();
    const name = `Carl ${seed}`;
    await createProfile(ownerContext(), { name, about: "Mine." });
    const more = `<podcast:person role="Producer" img="${HOST}/img/${seed}.png">${name}</podcast:person>`;
    await moved([anItem({ seed, more })]);
    expect(await profileOf(name)).toMatchObject({ about: "Mine.", imageFileId: null });
    expect(await askedFor(`/img/${seed}.png`)).toEqual([]);
  });

  it.each([
    ["is missing", `${HOST}/img/gone.png`, "There is nothing at its address (404)."],
    [
      "is at an address that isn’t public",
      "http://169.254.169.254/a.png",
      "Its address isn’t public, so it wasn’t fetched.",
    ],
  ])("that %s does not block the episode, and is named", async (_what, img, reason) => {
    const seed = nextSeed();
    const name = `Ada ${seed}`;
    const more = `<podcast:person role="guest" img="${img}">${name}</podcast:person>`;
    const id = await moved([anItem({ seed, more })]);
    expect(await itemRows(id)).toMatchObject([
      { state: "done", message: `Imported without the portrait of ${name}: ${reason}` },
    ]);
    expect(await profileOf(name)).toBeUndefined();
  });

  it("in the channel, as Buzzsprout writes it, is moved with the podcast’s people", async () => {
    const seed = nextSeed();
    const name = `Alban ${seed}`;
    await savedShow();
    await servePortrait(`/variants/${seed}.jpeg`);
    const channel = `<podcast:locked>no</podcast:locked>
      <podcast:person role="host" href="https://twitter.com/a" img="${HOST}/variants/${seed}.jpeg">${name}</podcast:person>
      <podcast:person role="host" img="">Jordan ${seed}</podcast:person>`;
    const { id } = await createFeedImport(mover(), { url: await servedFeed([anItem()], channel) });
    expect((await readFeedDetails(mover(), id)).plan).toMatchObject({
      portraits: [{ name, url: `${HOST}/variants/${seed}.jpeg` }],
    });
    await takeOverShow(mover(), id, { facts: ["title"] });
    expect(await profileOf(name)).toBeUndefined();
    await takeOverShow(mover(), id, { facts: ["people"] });
    expect((await profileOf(name))?.imageFileId).toBeTruthy();
    expect(await profileOf(`Jordan ${seed}`)).toBeUndefined();
  });

  it("in the channel that is missing is an error beside the people", async () => {
    const seed = nextSeed();
    const channel = `<podcast:person img="${HOST}/img/gone.png">Bo ${seed}</podcast:person>`;
    const { id } = await createFeedImport(mover(), { url: await servedFeed([anItem()], channel) });
    await expect(takeOverShow(mover(), id, { facts: ["people"] })).rejects.toMatchObject({
      code: "invalid",
      field: "people",
      message: `The portrait of Bo ${seed} couldn’t be imported. There is nothing at its address (404).`,
    });
  });
});

/** A box for the brand, and an empty one. */
const MP4 = new TextEncoder().encode("\0\0\0\x18ftypisom\0\0\x02\0isomiso2\0\0\0\x08free");

describe("a further file of an imported episode", () => {
  it("is moved with its name, as RSS Blue writes it; a stream and the audio itself are not", async () => {
    const seed = nextSeed();
    await serve({
      path: `/file-720-${seed}.mp4`,
      headers: { "Content-Type": "video/mp4" },
      bytes: MP4.toBase64(),
    });
    const small = audioUrl(`small${seed}`, 50_000);
    const more = `<podcast:alternateEnclosure type="audio/mpeg" length="100000" default="true" title="Standard">
        <podcast:source uri="${audioUrl(String(seed), 100_000)}"></podcast:source><podcast:source uri="ipfs://someFile"></podcast:source>
      </podcast:alternateEnclosure>
      <podcast:alternateEnclosure type="video/mp4" length="${MP4.length}" bitrate="511276" height="720">
        <podcast:source uri="${HOST}/file-720-${seed}.mp4"></podcast:source>
      </podcast:alternateEnclosure>
      <podcast:alternateEnclosure type="audio/mpeg" length="50000" bitrate="32000" title="Low bandwidth">
        <podcast:source uri="ipfs://other"></podcast:source><podcast:source uri="${small}"></podcast:source>
      </podcast:alternateEnclosure>
      <podcast:alternateEnclosure type="application/x-mpegURL" lang="en" title="HLS">
        <podcast:source uri="https://peertube.example/master.m3u8"></podcast:source>
      </podcast:alternateEnclosure>`;
    const id = await moved([anItem({ seed, more })]);
    expect(await itemRows(id)).toMatchObject([
      {
        state: "done",
        message:
          "Some of its further files aren’t imported: they are streams, are not on the web, or are too many.",
      },
    ]);
    const total = 150_000 + MP4.length;
    expect(await progressOf(id)).toMatchObject({ bytes: { total, moved: total } });
    const episode = await episodeBy(`guid-${seed}`);
    expect(episode?.alternates).toMatchObject([
      { title: "", url: expect.stringMatching(/^\/media\/uploads\/[^/]+\/file-720-.*\.mp4$/) },
      { title: "Low bandwidth", url: expect.stringMatching(/^\/media\/podcast-audio\/.*\.mp3$/) },
    ]);
    const stored = await Promise.all(
      episode!.alternates.map(async ({ url }) => {
        const [file] = await db
          .select()
          .from(files)
          .where(eq(files.key, url.slice("/media/".length)));
        return { type: file?.type, digest: (await audioOf(file?.id)).digest };
      }),
    );
    expect(stored).toEqual([
      { type: "video/mp4", digest: await digestOf(MP4) },
      { type: "audio/mpeg", digest: await digestOfAudio(`small${seed}`, 50_000) },
    ]);
  });

  it.each([
    ["that is gone", "gone", "There is nothing at its address (404)."],
    ["that is a page", "page", "This is a web page, not a recording."],
    [
      "that redirects to an address that isn’t public",
      "private",
      "Its address redirects to one that isn’t public",
    ],
  ])("%s does not block the episode, and is named", async (_what, way, reason) => {
    const seed = nextSeed();
    const more = `<podcast:alternateEnclosure type="audio/mpeg" title="Low"><podcast:source uri="${audioUrl(`low${seed}`, 50_000, way)}"/></podcast:alternateEnclosure>`;
    const id = await moved([anItem({ seed, more })]);
    expect(await itemRows(id)).toMatchObject([
      { state: "done", message: expect.stringContaining(`Imported without its file “Low”: ${reason}`) },
    ]);
    expect((await episodeBy(`guid-${seed}`))?.alternates).toEqual([]);
  });

  it("that breaks off continues in the next message, and is stored once", async () => {
    const seed = nextSeed();
    const size = 10 * 1024 * 1024;
    const more = `<podcast:alternateEnclosure type="audio/mpeg" length="${size}"><podcast:source uri="${audioUrl(`cut${seed}`, size, "cut")}"/></podcast:alternateEnclosure>`;
    const { id } = await createFeedImport(mover(), { url: await servedFeed([anItem({ seed, more })]) });
    await startImport(mover(), id);
    for (let minutes = 0; minutes < 6; minutes++) await workThrough(id, inMinutes(minutes));
    const url = (await episodeBy(`guid-${seed}`))!.alternates[0]!.url;
    const [file] = await db
      .select()
      .from(files)
      .where(eq(files.key, url.slice("/media/".length)));
    expect((await audioOf(file?.id)).digest).toBe(await digestOfAudio(`cut${seed}`, size));
    expect(await askedFor(`/audio/cut${seed}/${size}/cut`)).toEqual(["", `bytes=${8 * 1024 * 1024}-`]);
    const [count] = await db
      .select({
        files: db.$count(files, and(eq(files.folder, "podcast-audio"), like(files.key, `%${file!.id}%`))),
      })
      .from(episodes)
      .limit(1);
    expect(count?.files).toBe(1);
  });

  it("is imported on the free plan with the same result", async () => {
    const seed = nextSeed();
    const name = `Free ${seed}`;
    await servePortrait(`/img/${seed}.png`);
    const more = `<podcast:person img="${HOST}/img/${seed}.png">${name}</podcast:person>
      <podcast:alternateEnclosure type="audio/mpeg" title="Low"><podcast:source uri="${audioUrl(`low${seed}`, 50_000)}"/></podcast:alternateEnclosure>`;
    const { id } = await createFeedImport(mover(), { url: await servedFeed([anItem({ seed, more })]) });
    await startImport(mover(), id);
    const job = movingJob();
    await workThrough(id, { ...job, config: { ...job.config, plan: "free" } });
    expect(await itemRows(id)).toMatchObject([{ state: "done", message: null }]);
    expect((await episodeBy(`guid-${seed}`))?.alternates).toMatchObject([{ title: "Low" }]);
    expect((await profileOf(name))?.imageFileId).toBeTruthy();
  });
});

it("takes discussions, places and people over as Castopod writes them", async () => {
  const seed = nextSeed();
  const id = await moved([
    anItem({
      seed,
      more: `<podcast:location geo="geo:39.7837304,-100.445882;u=3900000" osm="R148838">Gitmo Nation</podcast:location>
        <podcast:comments uri="https://cast.example/@show/episodes/1/comments" contentType="application/podcast-activity+json"/>
        <podcast:socialInteract uri="https://cast.example/@show/posts/1" priority="1" platform="castopod" protocol="activitypub" accountId="@show@cast.example" pubDate="2026-02-03T10:00:00+0000"/>
        <podcast:socialInteract priority="2" platform="castopod" protocol="activitypub" accountId="@show@cast.example">https://cast.example/@show/posts/2</podcast:socialInteract>
        <podcast:person role="Cover Art Designer" group="Visuals">Becky ${seed}</podcast:person>
        <podcast:person role="Guest" group="Cast">Becky ${seed}</podcast:person>`,
    }),
  ]);
  expect(await itemRows(id)).toMatchObject([
    { state: "done", message: "Its “podcast:comments” isn’t imported." },
  ]);
  expect(await episodeBy(`guid-${seed}`)).toMatchObject({
    places: [{ name: "Gitmo Nation", geo: "39.7837304,-100.445882", osm: "R148838" }],
    discussions: [
      { protocol: "activitypub", url: "https://cast.example/@show/posts/1", account: "@show@cast.example" },
      { protocol: "activitypub", url: "https://cast.example/@show/posts/2", account: "@show@cast.example" },
    ],
    people: [
      { name: `Becky ${seed}`, group: "visuals", role: "cover art designer" },
      { name: `Becky ${seed}`, group: "cast", role: "guest" },
    ],
  });
});
