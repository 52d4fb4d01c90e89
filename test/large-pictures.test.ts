import { describe, expect, test } from "vitest";
import m4aUrl from "./fixtures/chapters.m4a?inline";
import { inspectAudio } from "#worker/files/inspect.ts";
import { join, makeMp3, makePng } from "./support/mp3.ts";
import { box, latin1, number } from "./support/pictures.ts";

const MB = 1024 * 1024;
const BEYOND = "only 16MB of chapter pictures are used";
const TOO_LARGE = "a picture of more than 10MB";

// https://id3.org/id3v2.4.0-structure, 6.1; https://id3.org/id3v2-chapters-1.0
describe("an MP3 whose frames are unsynchronised keeps each chapter", () => {
  const syncsafe = (value: number) => new Uint8Array([21, 14, 7, 0].map((shift) => (value >> shift) & 0x7f));
  const frame = (id: string, ...contents: Uint8Array[]) => {
    const content = join(contents);
    return join([latin1(id), syncsafe(content.length), new Uint8Array(2), content]);
  };
  const picture = (bytes: Uint8Array) => frame("APIC", latin1("\0image/png\0\u0003\0"), bytes);
  const chapter = (start: number, bytes: Uint8Array | null, title = `Part ${start}`) =>
    frame(
      "CHAP",
      latin1(`${start}\0`),
      number(Math.round(start * 1000), 4),
      number(Math.round(start * 1000) + 1000, 4),
      // Offsets of no use, 0xffffffff, each byte with the zero that follows it.
      latin1("\u00ff\0".repeat(8)),
      frame("TIT2", latin1(`\u0003${title}`)),
      ...(bytes ? [picture(bytes)] : []),
    );
  const mp3 = (cover: Uint8Array, ...pictures: Uint8Array[]) => {
    const body = join([picture(cover), ...pictures.map((bytes, start) => chapter(start, bytes))]);
    return tagged(body);
  };
  const tagged = (body: Uint8Array<ArrayBuffer>) => {
    const header = join([latin1("ID3\u0004\0\u0080"), syncsafe(body.length)]);
    return new Blob([header, body, makeMp3({ seconds: 6 })], { type: "audio/mpeg" });
  };
  const png = (width: number, bytes: number) => makePng(width, 8, { bytes });
  const inspect = async (file: Blob) => {
    const { chapters, artwork } = (await inspectAudio(file))!;
    return {
      cover: artwork?.width,
      titles: chapters.map(({ title }) => title),
      pictures: chapters.map((each) => each.refusedPicture ?? each.picture?.width),
    };
  };
  const titles = (count: number) => Array.from({ length: count }, (_, start) => `Part ${start}`);

  test("behind a cover that is too large", async () => {
    const sizes = [5 * MB, 5 * MB, 5 * MB, 1000, 1000];
    const file = mp3(png(20, 11 * MB), ...sizes.map((size, index) => png(index + 21, size)));
    expect(await inspect(file)).toEqual({
      cover: undefined,
      titles: titles(5),
      pictures: [21, 22, 23, 24, 25],
    });
  });

  test("and says which pictures are too many, also when they repeat", async () => {
    const third = png(23, 5 * MB);
    const file = mp3(png(20, 9 * MB), png(21, 5 * MB), png(22, 5 * MB), third, png(24, 1000), third);
    expect(await inspect(file)).toEqual({
      cover: 20,
      titles: titles(5),
      pictures: [21, 22, BEYOND, 24, BEYOND],
    });
  });

  test("are complete although their titles together exceed the limit of decoding", async () => {
    const words = "x".repeat(60_000);
    const body = Array.from({ length: 480 }, (_, at) => chapter(at / 100, null, `Part ${at} ${words}`));
    const found = await inspect(tagged(join(body)));
    expect(found.titles.length).toBe(480);
    expect(found.titles.every((title, at) => title.startsWith(`Part ${at} x`))).toBe(true);
  });

  test("and says which pictures are too large", async () => {
    const file = mp3(png(20, 1000), png(21, 17 * MB), png(22, 11 * MB), png(23, 1000));
    expect(await inspect(file)).toEqual({
      cover: 20,
      titles: titles(3),
      pictures: [TOO_LARGE, TOO_LARGE, 23],
    });
  });
});

describe("an M4A has as its cover the first that can be used", () => {
  const m4a = Uint8Array.fromBase64(m4aUrl.slice(m4aUrl.indexOf(",") + 1));
  const indexOf = (text: string) =>
    m4a.findIndex((_, at) => latin1(text).every((byte, offset) => m4a[at + offset] === byte));
  /** With these covers instead of its own; its last box describes it. */
  const withCovers = (...covers: Uint8Array[]) => {
    const data = covers.map((cover) => box("data", number(13, 4), number(0, 4), cover));
    const handler = box("hdlr", new Uint8Array(8), latin1("mdirappl"), new Uint8Array(9));
    const meta = box("meta", new Uint8Array(4), handler, box("ilst", box("covr", ...data)));
    const without = m4a.slice();
    without.set(latin1("free"), indexOf("udta"));
    const moov = indexOf("moov") - 4;
    const described = box("moov", without.subarray(moov + 8), box("udta", meta));
    return new Blob([without.subarray(0, moov), described], { type: "audio/x-m4a" });
  };
  const bmp = (bytes: number) => join([latin1("BM"), number(bytes, 4, true), new Uint8Array(bytes)]);

  test.each<[string, ...Uint8Array[]]>([
    ["a larger one", makePng(20, 8, { bytes: 11 * MB })],
    ["two larger ones", makePng(20, 8, { bytes: 11 * MB }), makePng(21, 8, { bytes: 11 * MB })],
    ["a BMP", bmp(9 * MB)],
  ])("behind %s", async (_what, ...before) => {
    const file = withCovers(...before, makePng(22, 8, { bytes: 5 * MB }));
    expect((await inspectAudio(file))!.artwork).toMatchObject({ width: 22 });
  });

  test("or says what the first one is", async () => {
    const file = withCovers(bmp(9 * MB), bmp(9 * MB), bmp(9 * MB), makePng(22, 8, { bytes: 5 * MB }));
    const { artwork, tags } = (await inspectAudio(file))!;
    expect([artwork, tags]).toMatchObject([null, { refusedCover: "a BMP picture" }]);
  });
});
