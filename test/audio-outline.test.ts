import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import aacUrl from "./fixtures/speech.aac?inline";
import aiffUrl from "./fixtures/cover.aiff?inline";
import flacUrl from "./fixtures/cover.flac?inline";
import fragmentsUrl from "./fixtures/fragments.m4a?inline";
import m4aUrl from "./fixtures/chapters.m4a?inline";
import oggUrl from "./fixtures/speech.ogg?inline";
import opusUrl from "./fixtures/speech.opus?inline";
import { inspectAudio } from "#worker/files/inspect.ts";
import { files } from "#worker/files/table.ts";
import { ownerContext } from "./support/client.ts";
import { id3, join, makeMp3 } from "./support/mp3.ts";
import { findBox } from "./support/mp4.ts";
import { box, clean, latin1, number, photographs, riffChunk } from "./support/pictures.ts";
import { uploadFile } from "./support/upload.ts";

beforeAll(() => env.DB.exec("create table test_users_of_files (a text, i text)"));

const TOO_MANY = "The file has too many small parts. Export it again and retry.";

const bytesOf = (url: string) => Uint8Array.fromBase64(url.slice(url.indexOf(",") + 1));
const [m4a, fragments, flac, ogg, opus, aac, aiff] = [
  m4aUrl,
  fragmentsUrl,
  flacUrl,
  oggUrl,
  opusUrl,
  aacUrl,
  aiffUrl,
].map(bytesOf) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];

const many = (part: Uint8Array, times: number) => {
  const bytes = new Uint8Array(part.length * times);
  for (let at = 0; at < bytes.length; at += part.length) bytes.set(part, at);
  return bytes;
};

const indexOf = (bytes: Uint8Array, part: Uint8Array) =>
  bytes.findIndex((_, at) => part.every((byte, place) => bytes[at + place] === byte));

/** How many bytes are asked of the file, in how many reads. */
function counted(bytes: Uint8Array, type: string) {
  const count = { reads: 0, bytes: 0 };
  const file = new Proxy(new Blob([join([bytes])], { type }), {
    get(blob, name) {
      if (name !== "slice") return Reflect.get(blob, name);
      return (start: number, end: number) => {
        count.reads++;
        count.bytes += end - start;
        return blob.slice(start, end);
      };
    },
  });
  return { file, count };
}

describe("an ordinary file still says", () => {
  const inspect = (bytes: Uint8Array, type: string) => inspectAudio(new Blob([join([bytes])], { type }));
  const chapters = [
    { start: 0, title: "First" },
    { start: 0.8, title: "Second" },
  ];

  test("an M4A, its duration, its cover and its chapters", async () => {
    const cover = await clean(photographs["camera.jpg"]);
    const sound = await inspect(m4a, "audio/x-m4a");
    expect(sound).toMatchObject({
      audioStart: 44,
      chapters,
      tags: { title: "MARKER title", number: null },
      artwork: { bytes: cover, width: 32, height: 48 },
    });
    expect(sound!.durationSeconds).toBeCloseTo(2, 0);
  });

  test("one made of fragments, its duration and its chapters", async () => {
    const sound = await inspect(fragments, "audio/x-m4a");
    expect(sound).toMatchObject({ chapters, artwork: null });
    expect(sound!.durationSeconds).toBeCloseTo(2, 0);
  });

  test.each([
    ["audio/flac", flac, 0.2],
    ["audio/aiff", aiff, 0.2],
  ] as const)("%s, its duration and its cover", async (type, bytes, seconds) => {
    expect(await inspect(bytes, type)).toMatchObject({
      durationSeconds: seconds,
      artwork: { width: 32, height: 48 },
    });
  });

  test.each([
    ["audio/ogg", ogg, 2],
    ["audio/ogg", opus, 2],
    ["audio/aac", aac, 2.18],
  ] as const)("%s, its duration", async (type, bytes, seconds) => {
    expect((await inspect(bytes, type))!.durationSeconds).toBeCloseTo(seconds, 1);
  });

  test("an MP3, an Opus file and an M4A, their title and number", async () => {
    const mp3 = (title: string, track: string) =>
      inspect(makeMp3({ seconds: 1, tag: { title, track } }), "audio/mpeg");
    expect((await mp3(" The long\npaddock\0", "41/60"))!.tags).toEqual({
      title: "The long paddock",
      number: 41,
    });
    expect((await mp3("", "0"))!.tags).toBeNull();
    expect((await mp3("", "12"))!.tags).toEqual({ title: "", number: 12 });
    expect((await inspect(opus, "audio/ogg"))!.tags).toMatchObject({ title: "MARKER title" });
    // Replaces the artist's box, of the same length, by the number and the total.
    const numbers = [number(0, 8), number(7, 4), number(12, 2), number(0, 3)];
    const numbered = m4a.slice();
    numbered.set(box("trkn", box("data", ...numbers)), indexOf(m4a, latin1("\u00a9ART")) - 4);
    expect((await inspect(numbered, "audio/x-m4a"))!.tags).toEqual({ title: "MARKER title", number: 7 });
  });

  test("a WAV, its duration, and the picture in its ID3 tag", async () => {
    const tag = id3({
      title: "A title",
      picture: { type: "image/jpeg", bytes: photographs["camera.jpg"].bytes },
    });
    const format = join([
      number(1, 2, true),
      number(1, 2, true),
      number(8000, 4, true),
      number(16_000, 4, true),
      number(2, 2, true),
      number(16, 2, true),
    ]);
    const wav = riffChunk(
      "RIFF",
      join([
        latin1("WAVE"),
        riffChunk("fmt ", format),
        riffChunk("id3 ", tag),
        riffChunk("data", new Uint8Array(16_000)),
      ]),
    );
    expect(await inspect(wav, "audio/wav")).toMatchObject({
      durationSeconds: 1,
      artwork: { width: 32 },
      tags: { title: "A title", number: null },
    });
  });

  test("an hour of raw AAC, its duration, in one pass through it", async () => {
    const bytes = many(aac, 1700);
    const { file, count } = counted(bytes, "audio/aac");
    const sound = await inspectAudio(file);
    expect(Math.abs(sound!.durationSeconds! - 1700 * 2.176)).toBeLessThan(0.05);
    expect(count.reads).toBeLessThan(100);
    expect(count.bytes).toBeLessThan(1.1 * bytes.length + 1_000_000);
  });

  test("a long Ogg, its duration, in one pass through it", async () => {
    const last = opus.findLastIndex(
      (byte, at) => byte === 0x4f && opus[at + 1] === 0x67 && opus[at + 2] === 0x67,
    );
    const pages = many(
      join([opus.subarray(last, last + 5), new Uint8Array([0]), opus.subarray(last + 6)]),
      20_000,
    );
    const long = join([opus.subarray(0, last), pages, opus.subarray(last)]);
    const { file, count } = counted(long, "audio/ogg");
    expect((await inspectAudio(file))!.durationSeconds).toBeCloseTo(2, 1);
    expect(count.reads).toBeLessThan(100);
  });

  test("chapters among pictures and long texts of an ID3 tag", async () => {
    const picture = { type: "image/jpeg", bytes: photographs["camera.jpg"].bytes };
    const tag = { title: "x".repeat(5_000_000), picture, chapters: [{ start: 0, end: 2, title: "First" }] };
    const { file, count } = counted(makeMp3({ seconds: 2, tag }), "audio/mpeg");
    expect(await inspectAudio(file)).toMatchObject({
      chapters: [{ start: 0, title: "First" }],
      artwork: { width: 32 },
    });
    expect(count.bytes).toBeLessThan(2_000_000);
  });
});

describe("a file of too many parts is refused after a few steps", () => {
  const ftyp = m4a.subarray(0, 28);
  const syncsafe = (value: number) => new Uint8Array([21, 14, 7, 0].map((shift) => (value >> shift) & 0x7f));
  const frame = (text: string) =>
    join([latin1("TPE1"), number(text.length, 4), new Uint8Array(2), latin1(text)]);
  const tag = (...contents: Uint8Array[]) => {
    const content = join(contents);
    return join([latin1("ID3\x03\0\0"), syncsafe(content.length), content]);
  };
  const sound = makeMp3({ seconds: 1 });
  const riff = latin1("RIFF\xff\xff\xff\x7fWAVE");
  const page = (serial: number, body: Uint8Array) =>
    join([
      latin1("OggS\0\x02"),
      new Uint8Array(8),
      number(serial, 4, true),
      new Uint8Array(8),
      new Uint8Array([1, body.length]),
      body,
    ]);
  const opusHead = opus.subarray(28, 47);
  const moov = findBox(m4a, "moov");

  test.each([
    ["audio/mp4", "200,000 empty boxes", () => join([ftyp, many(box("free"), 200_000)])],
    [
      "audio/mp4",
      "as many in a box",
      () => join([ftyp, box("moov", moov.subarray(8), box("udta", many(box("abcd"), 200_000)))]),
    ],
    ["audio/mp4", "as many tracks", () => join([ftyp, box("moov", many(box("trak"), 200_000))])],
    ["audio/mp4", "as many fragments", () => join([ftyp, moov, many(box("moof"), 200_000)])],
    ["audio/wav", "empty chunks", () => join([riff, many(riffChunk("abcd", new Uint8Array()), 200_000)])],
    [
      "audio/aiff",
      "empty chunks",
      () => join([aiff.subarray(0, 12), many(join([latin1("abcd"), number(0, 4)]), 200_000)]),
    ],
    ["audio/wav", "frames in a tag", () => join([riff, riffChunk("id3 ", tag(many(frame("x"), 100_000)))])],
    [
      "audio/flac",
      "empty blocks",
      () => join([flac.subarray(0, 42), many(new Uint8Array([1, 0, 0, 0]), 200_000)]),
    ],
    ["audio/ogg", "streams", () => join(Array.from({ length: 1000 }, (_, serial) => page(serial, opusHead)))],
    [
      "audio/ogg",
      "comments",
      () =>
        join([
          page(1, opusHead),
          page(1, join([latin1("OpusTags"), number(0, 4), number(6_000_000, 4, true)])),
        ]),
    ],
    ["audio/mpeg", "empty tags", () => join([many(tag(), 200_000), sound])],
    ["audio/mpeg", "empty frames in a tag", () => join([tag(many(frame(""), 200_000)), sound])],
    [
      "audio/mpeg",
      "frames in a chapter",
      () => {
        const parts = many(frame("x"), 100_000);
        const head = join([latin1("CHAP"), number(parts.length + 18, 4), new Uint8Array(2), latin1("a\0")]);
        return join([tag(head, new Uint8Array(16), parts), sound]);
      },
    ],
    [
      "audio/wavpack",
      "blocks",
      () =>
        many(
          join([latin1("wvpk"), number(24, 4, true), number(0x410, 2, true), new Uint8Array(22)]),
          200_000,
        ),
    ],
  ])("%s: %s", async (type, _what, make) => {
    const { file, count } = counted(make(), type);
    await expect(inspectAudio(file)).rejects.toThrow(TOO_MANY);
    expect(count.bytes).toBeLessThan(3_000_000);
  });

  test("with a message, and nothing of it is stored", async () => {
    const ctx = ownerContext();
    const bytes = join([ftyp, many(box("free"), 200_000)]);
    const before = (await env.MEDIA.list()).objects.length;
    const upload = uploadFile(ctx, bytes, { name: "boxes.m4a", folder: "podcast-audio" });
    await expect(upload).rejects.toMatchObject({ code: "invalid", message: TOO_MANY, field: "file" });
    expect(await ctx.db.select().from(files)).toEqual([]);
    expect((await env.MEDIA.list()).objects.length).toBe(before);
  });
});

describe("what is of no use here is not read", () => {
  test("the samples of an M4A, an entry for every 20 ms", async () => {
    const at =
      m4a.findIndex((_, index) => latin1("moov").every((byte, offset) => m4a[index + offset] === byte)) - 4;
    const table = box("stsz", join([new Uint8Array(8), number(2_000_000, 4), new Uint8Array(8_000_000)]));
    const track = box("trak", box("mdia", box("minf", box("stbl", table))));
    const length = new DataView(m4a.buffer).getUint32(at);
    const large = join([
      m4a.subarray(0, at),
      number(length + track.length, 4),
      m4a.subarray(at + 4, at + length),
      track,
      m4a.subarray(at + length),
    ]);
    const { file, count } = counted(large, "audio/x-m4a");
    expect(await inspectAudio(file)).toMatchObject({ chapters: [{ title: "First" }, { title: "Second" }] });
    expect(count.bytes).toBeLessThan(2_000_000);
  });

  test("the comments of a FLAC, millions of them", async () => {
    const comments = join([
      new Uint8Array([4, 0x3d, 9, 8]),
      number(0, 4),
      number(1_000_000, 4, true),
      new Uint8Array(4_000_000),
    ]);
    const at = 42;
    const large = join([flac.subarray(0, at), comments, flac.subarray(at)]);
    const { file, count } = counted(large, "audio/flac");
    expect(await inspectAudio(file)).toMatchObject({ durationSeconds: 0.2, artwork: { width: 32 } });
    expect(count.bytes).toBeLessThan(2_000_000);
  });
});
