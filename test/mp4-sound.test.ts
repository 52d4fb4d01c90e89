import { env } from "cloudflare:workers";
import { like } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import speech3gpUrl from "./fixtures/speech.3gp?inline";
import chaptersUrl from "./fixtures/chapters.m4a?inline";
import fragmentsUrl from "./fixtures/fragments.m4a?inline";
import segmentsUrl from "./fixtures/segments.mp4?inline";
import speechUrl from "./fixtures/speech.mp4?inline";
import videoUrl from "./fixtures/video.mp4?inline";
import { createUpload, uploadPart } from "#worker/files/commands.ts";
import { findStoredFiles } from "#worker/files/stored.ts";
import { files } from "#worker/files/table.ts";
import { fetchSite, jobContext, ownerContext } from "./support/client.ts";
import { rowOf } from "./support/files.ts";
import { join } from "./support/mp3.ts";
import { branded, findBox, withChapters, withTracks } from "./support/mp4.ts";
import { box, latin1 } from "./support/pictures.ts";
import { uploadFile } from "./support/upload.ts";

beforeAll(() => env.DB.exec("create table test_users_of_files (a text, i text)"));

const bytesOf = (url: string) => Uint8Array.fromBase64(url.slice(url.indexOf(",") + 1));
/** Two seconds of AAC: tracks first, in the brand isom; fragments with an index; and beside a video, tracks last. */
const [speech, segments, video] = [speechUrl, segmentsUrl, videoUrl].map(bytesOf) as [
  Uint8Array<ArrayBuffer>,
  Uint8Array<ArrayBuffer>,
  Uint8Array<ArrayBuffer>,
];
const [speech3gp, chapters, fragments] = [speech3gpUrl, chaptersUrl, fragmentsUrl].map(bytesOf) as [
  Uint8Array<ArrayBuffer>,
  Uint8Array<ArrayBuffer>,
  Uint8Array<ArrayBuffer>,
];

const store = (bytes: Uint8Array, { name = "episode.mp4", type = "video/mp4" } = {}) =>
  uploadFile(ownerContext(), join([bytes]), { name, type, folder: "podcast-audio" });

describe("an MP4 whose only track is sound is audio, whatever its brand", () => {
  test.each([
    "isom",
    "iso2",
    "iso6",
    "mp41",
    "mp42",
    "M4A ",
    "M4B ",
    "M4V ",
    "dash",
    "3gp4",
    "3g2a",
    "qt  ",
    "F4A ",
  ])("an MP4 of sound alone is audio with the brand %s", async (brand) => {
    const stored = await store(branded(speech, brand));
    expect(stored.type).toBe(brand === "M4A " ? "audio/x-m4a" : "audio/mp4");
    expect(stored.durationSeconds).toBeCloseTo(2, 0);
    expect(stored).toMatchObject({ flaw: null, statedSeconds: null });
  });

  test.each([
    ["a telephone's", speech3gp, "video/3gpp"],
    ["in segments with an index", segments, "video/mp4"],
    ["in fragments", branded(fragments, "iso5"), "audio/mp4"],
    ["QuickTime's", branded(speech, "qt  "), "video/quicktime"],
  ])("an MP4 of sound alone is audio: %s", async (_what, bytes, type) => {
    const stored = await store(bytes, { type });
    expect(stored.type).toMatch(/^audio\//);
    expect(stored.durationSeconds).toBeCloseTo(2, 0);
    expect(stored.flaw).toBeNull();
  });

  test("it is served as audio, under an audio file's name", async () => {
    const { url, name } = await store(speech, { name: "My talk.mp4" });
    expect(name).toBe("My talk.m4a");
    const response = await fetchSite(url, { method: "HEAD" });
    expect(response.headers.get("Content-Type")).toBe("audio/mp4");
    expect(response.headers.get("Content-Disposition")).toContain("My%20talk.m4a");
  });

  test("in more fragments than a parser of metadata takes", async () => {
    const head = join(["ftyp", "moov"].map((type) => findBox(segments, type)));
    const fragment = join(["moof", "mdat"].map((type) => findBox(segments, type)));
    const stored = await store(join([head, ...Array.from({ length: 1500 }, () => fragment)]));
    // Eight samples of 1024 at 16 kHz in each.
    expect(stored.durationSeconds).toBeCloseTo((1500 * 8 * 1024) / 16_000, 1);
  });
});

describe("tracks beside the sound", () => {
  test("titles of chapters and a cover", async () => {
    const stored = await store(branded(chapters, "mp42"));
    expect(stored.chapters.map(({ title }) => title)).toEqual(["First", "Second"]);
    expect(stored.artwork).not.toBeNull();
  });

  test("pictures of chapters do not count as video", async () => {
    const pictured = withTracks(video, (trak, number) =>
      number === 1 ? box("trak", trak) : withChapters(trak, 1),
    );
    const stored = await store(pictured);
    expect(stored.durationSeconds).toBeCloseTo(2, 0);
  });
});

describe("a video is refused with a message", () => {
  const words = "This is a video. Export only its audio, as MP3 or M4A, and upload that.";

  test.each(["isom", "M4A ", "qt  ", "3gp4"])("a video of the brand %s is refused", async (brand) => {
    const name = `video ${brand}.mp4`;
    const refused = store(branded(video, brand), { name });
    await expect(refused).rejects.toMatchObject({ code: "invalid", message: words, field: "file" });
    expect(await jobContext().db.select().from(files).where(like(files.name, "video %"))).toEqual([]);
  });

  test("by its first part, if its tracks are listed there", async () => {
    const ctx = ownerContext();
    const first = join([withTracks(video, (trak) => box("trak", trak))]);
    const file = { name: "a.mp4", type: "video/mp4", folder: "podcast-audio" as const, size: 20_000_000 };
    const upload = await createUpload(ctx, file);
    const bytes = new Uint8Array(upload.partSize);
    bytes.set(first);
    const part = uploadPart(ctx, { id: upload.id, number: 1, body: new Blob([bytes]).stream() });
    await expect(part).rejects.toMatchObject({ code: "invalid", message: words });
    expect(await rowOf(ctx, upload.id)).toBeUndefined();
  });

  test("and so is a file without sound", async () => {
    const silent = withTracks(speech, () => null);
    await expect(store(silent)).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining("can’t be read as audio"),
    });
  });

  test("where everything may go, a video is one", async () => {
    const stored = await uploadFile(ownerContext(), join([video]), { name: "a.mp4", folder: "uploads" });
    expect((await findStoredFiles(jobContext(), [stored.id])).get(stored.id)!.type).toBe("video/mp4");
  });
});

test("sound that nothing plays is refused by its name", async () => {
  const bytes = new TextDecoder("latin1").decode(speech).replace("mp4a", "samr");
  await expect(store(latin1(bytes))).rejects.toMatchObject({
    code: "invalid",
    message: "Browsers and podcast apps don’t play the audio in this file (samr). Export it as MP3 or M4A.",
  });
});
