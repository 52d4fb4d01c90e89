import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import chaptersUrl from "./fixtures/chapters.m4a?inline";
import flacUrl from "./fixtures/silence.flac?inline";
import oggUrl from "./fixtures/speech.ogg?inline";
import opusUrl from "./fixtures/speech.opus?inline";
import segmentsUrl from "./fixtures/segments.mp4?inline";
import speechUrl from "./fixtures/speech.mp4?inline";
import { checkEpisode } from "#worker/episodes/publish-check.ts";
import { createEpisode } from "#worker/episodes/commands.ts";
import { flawInWords, type StoredFile } from "#worker/files/contract.ts";
import { inspectAudio } from "#worker/files/inspect.ts";
import { ownerContext } from "./support/client.ts";
import { anEpisode } from "./support/factories.ts";
import { id3, join, makeMp3 } from "./support/mp3.ts";
import { findBox } from "./support/mp4.ts";
import { box, latin1, number, riffChunk } from "./support/pictures.ts";
import { uploadFile } from "./support/upload.ts";

beforeAll(() => env.DB.exec("create table test_users_of_files (a text, i text)"));

const bytesOf = (url: string) => Uint8Array.fromBase64(url.slice(url.indexOf(",") + 1));
const [speech, segments, chapters, flac] = [speechUrl, segmentsUrl, chaptersUrl, flacUrl].map(bytesOf) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
const [ogg, opus] = [oggUrl, opusUrl].map(bytesOf) as [Uint8Array, Uint8Array];

const inspect = (bytes: Uint8Array, type: string) => inspectAudio(new Blob([join([bytes])], { type }));
const part = (bytes: Uint8Array, share: number) => bytes.subarray(0, Math.floor(bytes.length * share));

const variable = (frame: number) => [64, 96, 320, 128][Math.floor(frame / 50) % 4]!;
const xing = (seconds: number) => makeMp3({ seconds, xing: true });

describe("an MP3 that is shorter than it states", () => {
  test.each([
    ["of constant bitrate", makeMp3({ seconds: 76, xing: true })],
    ["of variable bitrate", makeMp3({ seconds: 76, bitrate: variable, xing: true })],
    ["with VBRI", makeMp3({ seconds: 76, bitrate: variable, vbri: true })],
    ["behind a tag", makeMp3({ seconds: 76, xing: true, tag: { title: "A title" } })],
  ])("an MP3 %s that is cut off has its stated and its real length", async (_what, bytes) => {
    const whole = await inspect(bytes, "audio/mpeg");
    expect(whole).toMatchObject({ flaw: null, statedSeconds: null });
    expect(whole!.durationSeconds).toBeCloseTo(76, 1);
    const cut = await inspect(part(bytes, 0.6), "audio/mpeg");
    expect(cut!.flaw).toBe("cut_off");
    expect(Math.abs(cut!.durationSeconds! - 0.6 * 76)).toBeLessThan(1);
    expect(cut!.statedSeconds).toBeCloseTo(76, 1);
  });

  test("a few missing bytes, or bytes of another tag, are not reported", async () => {
    const bytes = xing(20);
    const old = join([latin1("TAG"), new Uint8Array(125)]);
    for (const near of [bytes.subarray(0, -300), join([bytes, old]), join([bytes, new Uint8Array(50_000)])])
      expect(await inspect(near, "audio/mpeg")).toMatchObject({ flaw: null, statedSeconds: null });
  });
});

describe("joined recordings", () => {
  test.each([
    ["with a count each", join([xing(45), xing(20), xing(11)])],
    ["with a tag each", join([id3({ title: "One" }), xing(45), id3({ title: "Two" }), xing(31)])],
    ["and only one that counts", join([xing(45), makeMp3({ seconds: 31, bitrate: () => 128 })])],
    ["VBRI", join([makeMp3({ seconds: 45, vbri: true }), makeMp3({ seconds: 31, vbri: true })])],
  ])("an MP3 of several recordings lasts as long as all of them: %s", async (_what, bytes) => {
    const sound = await inspect(bytes, "audio/mpeg");
    expect(sound!.flaw).toBe("joined");
    expect(Math.abs(sound!.durationSeconds! - 76)).toBeLessThan(0.5);
    expect(sound!.statedSeconds).toBeCloseTo(45, 1);
  });

  test("an MP4 or WAV of several recordings lasts as long as the first, at which players stop", async () => {
    const sound = await inspect(join([speech, chapters]), "audio/mp4");
    expect(sound).toMatchObject({ flaw: "joined", statedSeconds: null });
    expect(sound!.durationSeconds).toBeCloseTo(2, 0);
    expect(await inspect(join([wav(3), wav(2)]), "audio/wav")).toMatchObject({
      flaw: "joined",
      durationSeconds: 3,
    });
  });
});

function wav(seconds: number) {
  const format = join([number(1, 2, true), number(1, 2, true), number(8000, 4, true)]);
  const rate = join([number(16_000, 4, true), number(2, 2, true), number(16, 2, true)]);
  const chunks = [
    riffChunk("fmt ", join([format, rate])),
    riffChunk("data", new Uint8Array(seconds * 16_000)),
  ];
  return riffChunk("RIFF", join([latin1("WAVE"), ...chunks]));
}

function aiff(seconds: number) {
  const chunk = (type: string, data: Uint8Array) => join([latin1(type), number(data.length, 4), data]);
  // Mono, frames, 8 bits, and 8000 Hz as a float of 80 bits.
  const common = join([
    number(1, 2),
    number(seconds * 8000, 4),
    number(8, 2),
    number(0x400b_fa00, 4),
    number(0, 6),
  ]);
  const sound = chunk("SSND", new Uint8Array(8 + seconds * 8000));
  return chunk("FORM", join([latin1("AIFF"), chunk("COMM", common), sound]));
}

describe("other truncated audio", () => {
  test("a truncated MP4 lasts up to its last sample", async () => {
    const mdat = speech.length - findBox(speech, "mdat").length;
    for (const [share, least, most] of [
      [0.5, 0.8, 1.2],
      [0.25, 0.3, 0.7],
    ] as const) {
      const cut = await inspect(speech.subarray(0, mdat + (speech.length - mdat) * share), "audio/mp4");
      expect(cut!.flaw).toBe("cut_off");
      expect(cut!.durationSeconds).toBeGreaterThan(least);
      expect(cut!.durationSeconds).toBeLessThan(most);
      expect(cut!.statedSeconds).toBeCloseTo(2, 0);
    }
  });

  test("a truncated fragmented MP4 lasts up to its last fragment, with and without an index", async () => {
    const cut = await inspect(part(segments, 0.7), "audio/mp4");
    expect(cut).toMatchObject({ flaw: "cut_off", statedSeconds: expect.closeTo(2, 0) });
    expect(cut!.durationSeconds).toBeLessThan(1.5);
    const plain = join(["ftyp", "moov", "moof", "mdat"].map((type) => findBox(segments, type)));
    expect(await inspect(plain.subarray(0, -200), "audio/mp4")).toMatchObject({
      flaw: "cut_off",
      statedSeconds: null,
    });
  });

  test("a truncated fragmented MP4 that states the total length of its fragments is measured", async () => {
    const [ftyp, moov, moof, mdat] = ["ftyp", "moov", "moof", "mdat"].map((type) => findBox(segments, type));
    const [mvhd, trak, mvex] = ["mvhd", "trak", "mvex"].map((type) => findBox(moov!.subarray(8), type));
    // In thousandths of a second, as ffmpeg counts in the movie's header.
    const mehd = box("mehd", number(0, 4), number(2064, 4));
    const stated = box("moov", mvhd!, trak!, box("mvex", mehd, mvex!.subarray(8)));
    expect(await inspect(join([ftyp!, stated, moof!, mdat!]), "audio/mp4")).toMatchObject({
      durationSeconds: 0.512,
      flaw: "cut_off",
      statedSeconds: 2.064,
    });
  });

  test("an MP4 without any complete sample is refused", async () => {
    const words = "The file seems cut off. Upload it again.";
    await expect(inspect(part(chapters, 0.5), "audio/mp4")).rejects.toThrow(words);
    await expect(inspect(part(speech, 0.1), "audio/mp4")).rejects.toThrow(words);
  });

  test.each([
    ["audio/wav", wav(20)],
    ["audio/aiff", aiff(20)],
    ["audio/flac", flac],
  ])("%s that is cut off has its stated and its real length", async (type, bytes) => {
    expect(await inspect(bytes, type)).toMatchObject({ flaw: null, durationSeconds: 20 });
    const cut = await inspect(part(bytes, 0.6), type);
    expect(cut).toMatchObject({ flaw: "cut_off", statedSeconds: 20 });
    expect(Math.abs(cut!.durationSeconds! - 12)).toBeLessThan(2);
  });

  test("an Ogg whose last page lacks the end-of-stream flag is whole", async () => {
    const cut = await inspect(part(opus, 0.8), "audio/ogg");
    expect(cut).toMatchObject({ flaw: "cut_off", statedSeconds: null });
    expect(cut!.durationSeconds).toBeLessThan(2);
    // No page of sound in this one is complete.
    await expect(inspect(part(ogg, 0.8), "audio/ogg")).rejects.toThrow("The file seems cut off.");
  });
});

describe("the audio form", () => {
  const store = (bytes: Uint8Array) =>
    uploadFile(ownerContext(), join([bytes]), { name: "a.mp3", folder: "podcast-audio" });
  const problemsOf = async ({ id }: StoredFile) =>
    (await checkEpisode(ownerContext(), { episode: anEpisode({ audioFileId: id }) }))
      .filter(({ field }) => field === "audioFileId")
      .map(({ level, message }) => `${level}: ${message}`);

  test("shows how much of a truncated file exists, and allows publishing it", async () => {
    const stored = await store(part(xing(76), 45.4 / 76));
    const words = "This file seems cut off: it has 45 s of 76 s. Upload the original again.";
    expect(flawInWords(stored)).toBe(words);
    expect(await problemsOf(stored)).toEqual([`warning: ${words}`]);
    const { values } = await createEpisode(
      ownerContext(),
      anEpisode({ status: "published", audioFileId: stored.id, durationSeconds: 76 }),
    );
    expect(values.durationSeconds).toBe(45);
  });

  test("warns about joined recordings", async () => {
    const stored = await store(join([xing(45), xing(140)]));
    const words =
      "This file seems to have several recordings joined together. It states a length of 45 s but lasts 3:05, so some apps show the wrong length. Export them as one.";
    expect(await problemsOf(stored)).toEqual([`warning: ${words}`]);
  });

  test("shows no warning for a complete file", async () => {
    const stored = await store(xing(5));
    expect(flawInWords(stored)).toBeNull();
    expect(await problemsOf(stored)).toEqual([]);
  });
});
