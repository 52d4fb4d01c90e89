import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { withTag, type TagValues } from "#site/admin/sound/id3-tag.ts";
import { planLevel, withinRoom } from "#site/admin/sound/level.ts";
import { audioOf } from "#site/admin/sound/mp3-audio.ts";
import { changeGain, readRoom, STEP } from "#site/admin/sound/mp3-gain.ts";
import type { Loudness } from "#worker/files/loudness/contract.ts";
import { ffmpegLoudness } from "../support/loudness-recordings.ts";
import { someOf } from "../support/sweeps.ts";
import { makeMp3, makePng } from "../support/mp3.ts";
import {
  checksumErrors,
  decodeMp3,
  hashOfPackets,
  hashWithoutTags,
  hasFfmpeg,
  hasMp3gain,
  hasMutagen,
  mp3gain,
  probe,
  readTag,
  run,
  withFile,
} from "../support/mp3-programs.ts";

const read = (name: string) => new Uint8Array(readFileSync(name));
const blob = (bytes: Uint8Array<ArrayBuffer>) => new Blob([bytes], { type: "audio/mpeg" });
const bytesOf = async (file: Blob) => new Uint8Array(await file.arrayBuffer());
const made = (name: string) => `test/fixtures/made/recordings/${name}`;

/** ID3v2.3 and 2.4, ID3v1, APE, the frames of Xing and Info, and none of them. */
const files = [
  made("eyed3-2.3.mp3"),
  made("eyed3-2.4.mp3"),
  made("ffmpeg-cover.mp3"),
  made("kid3-2.4.mp3"),
  made("lame-abr-no-header.mp3"),
  made("lame-cbr.mp3"),
  made("lame-id3v1.mp3"),
  made("lame-utf16.mp3"),
  made("lame-vbr.mp3"),
  made("mp3splt.mp3"),
  "test/fixtures/recordings/cover-ape.mp3",
  "test/fixtures/recordings/chapters-nested.mp3",
  "demo/audio/03-the-pilot-that-never-lands.mp3",
];

const SCRIPTS = [
  "Welcome",
  "Καλώς ήρθατε",
  "Добро пожаловать",
  "أهلا وسهلا",
  "ברוכים הבאים",
  "स्वागत है",
  "ยินดีต้อนรับ",
  "欢迎收听",
  "ようこそ",
  "환영합니다 🎙️",
];

const png = makePng(20, 20).buffer;

const values: TagValues = {
  title: "第12話：待合室 – Η αναμονή",
  artist: "Ann Ödmann",
  album: "Комната ожидания",
  date: "2026-11-30",
  season: 2,
  number: 12,
  comment: "Wie lange wartet man? עד מתי?",
  page: "https://rostrum.example/episode/12",
  cover: png,
  chapters: SCRIPTS.map((title, at) => ({
    start: at * 0.05,
    end: (at + 1) * 0.05,
    title,
    url: at === 1 ? "https://example.org/ΕΛ?a=1" : null,
    picture: at === 2 ? png : null,
    isListed: at !== 3,
  })),
};

const bare: TagValues = {
  ...values,
  date: null,
  season: null,
  number: null,
  comment: "",
  page: null,
  cover: null,
  chapters: [],
};

describe("a copy with a tag", () => {
  it.skipIf(!hasMutagen || !hasFfmpeg).each(someOf(files, 5))(
    "has the audio of %s, byte for byte",
    async (name) => {
      const original = read(name);
      const copy = await bytesOf(await withTag(blob(original), values));
      expect(hashWithoutTags(copy)).toBe(hashWithoutTags(original));
      expect(hashOfPackets(copy)).toBe(hashOfPackets(original));
      // And no other tag than its own, also not at the end.
      expect((await audioOf(blob(copy))).end).toBe(copy.length);
    },
  );

  it.skipIf(!hasMutagen)("is read by mutagen as ID3v2.3 with each frame", async () => {
    const { version, frames } = readTag(await bytesOf(await withTag(blob(read(files[0]!)), values)));
    expect(version).toEqual([2, 3, 0]);
    expect(frames).toMatchObject({
      TIT2: [values.title],
      TPE1: [values.artist],
      TALB: [values.album],
      TYER: ["2026"],
      TDAT: ["3011"],
      TRCK: ["12"],
      TPOS: ["2"],
      TCON: ["Podcast"],
      COMM: [values.comment],
      WOAF: [values.page],
      APIC: [{ mime: "image/png", type: 3, bytes: png.byteLength }],
      CTOC: [{ id: "toc", flags: 3, children: [0, 1, 2, 4, 5, 6, 7, 8, 9].map((at) => `chp${at}`) }],
    });
    expect(frames.CHAP!.toSorted((a, b) => a.start - b.start)).toEqual(
      values.chapters.map(({ start, end, title, url, picture }, at) => ({
        id: `chp${at}`,
        start: Math.round(start * 1000),
        end: Math.round(end * 1000),
        title,
        url: url && "https://example.org/%CE%95%CE%9B?a=1",
        picture: picture && png.byteLength,
      })),
    );
  });

  it.skipIf(!hasFfmpeg)("shows ffprobe its chapters in every script, and its cover", async () => {
    const { chapters, streams, format } = probe(await bytesOf(await withTag(blob(read(files[5]!)), values)));
    expect(chapters.map(({ tags }) => tags.title)).toEqual(SCRIPTS);
    expect(chapters.map(({ start_time: start }) => Number(start))).toEqual(
      values.chapters.map((_, at) => (at * 5) / 100),
    );
    expect(streams.map(({ codec_type: type, codec_name: name }) => `${type} ${name}`)).toEqual([
      "audio mp3",
      "video png",
    ]);
    expect(format.tags).toMatchObject({ title: values.title, artist: values.artist, album: values.album });
  });

  it.skipIf(!hasMutagen)("has five hundred chapters in tables of at most 255", async () => {
    const chapters = Array.from({ length: 500 }, (_, at) => ({
      start: at,
      end: at + 1,
      title: `Chapter ${at}`,
      url: null,
      picture: null,
      isListed: true,
    }));
    const { frames } = readTag(await bytesOf(await withTag(blob(read(files[5]!)), { ...bare, chapters })));
    expect(frames.CHAP).toHaveLength(500);
    const lists = frames.CTOC!.toSorted((a, b) => a.id.localeCompare(b.id));
    expect(lists.map(({ id, flags, children }) => [id, flags, children.length])).toEqual([
      ["toc", 3, 2],
      ["toc1", 1, 255],
      ["toc2", 1, 245],
    ]);
  });

  it.skipIf(!hasMutagen)("has only what there is: no cover, chapters, numbers or date", async () => {
    const { frames } = readTag(await bytesOf(await withTag(blob(read(files[5]!)), bare)));
    expect(Object.keys(frames).toSorted()).toEqual(["TALB", "TCON", "TIT2", "TPE1"]);
    const untitled = await withTag(blob(read(files[5]!)), { ...bare, artist: "", album: "" });
    expect(Object.keys(readTag(await bytesOf(untitled)).frames).toSorted()).toEqual(["TCON", "TIT2"]);
  });

  it.each([
    ["an M4A", () => read("test/fixtures/chapters.m4a")],
    ["an Ogg", () => read("test/fixtures/speech.ogg")],
    ["a text", () => new TextEncoder().encode("These are words. ".repeat(500))],
    ["nothing", () => new Uint8Array(0)],
    ["an ID3 tag alone", () => makeMp3({ seconds: 0, tag: { title: "No sound" } })],
  ])("is refused for %s", async (_, make) => {
    await expect(withTag(blob(make()), values)).rejects.toThrow(
      "This file has no MP3 audio in it. Export it as an MP3 and upload that.",
    );
  });

  it("is refused for a file that ends within its own tag", async () => {
    const file = read(made("eyed3-huge.mp3")).subarray(0, 500);
    await expect(withTag(blob(file), values)).rejects.toThrow(
      "This MP3’s own tag says that it is longer than the file. Export it again and upload that.",
    );
  });

  it("is refused with pictures of over 16 MB together", async () => {
    const picture = new Uint8Array(9 * 1024 * 1024);
    picture.set(new Uint8Array(png));
    const chapters = [0, 1].map((start) => ({
      start,
      end: start + 1,
      title: "Large",
      url: null,
      picture: picture.buffer,
      isListed: true,
    }));
    await expect(withTag(blob(read(files[5]!)), { ...values, chapters })).rejects.toThrow(
      "The pictures have 19 MB together, and 16 MB fit. Remove some of the chapters’ pictures.",
    );
  });
});

const frameCount = 20;
const quiet = makeMp3({ seconds: frameCount * (1152 / 44_100) });

describe("a levelled copy", () => {
  it.each(files)("of %s, changed back, is the same bytes", async (name) => {
    const original = read(name);
    const { down, up } = await readRoom(blob(original));
    for (const steps of [-Math.min(3, down), Math.min(4, up), -down, up]) {
      const there = await changeGain(blob(original), steps);
      expect(there.size).toBe(original.length);
      if (steps !== 0) expect(Buffer.compare(await bytesOf(there), original)).not.toBe(0);
      expect(Buffer.compare(await bytesOf(await changeGain(there, -steps)), original)).toBe(0);
    }
  });

  it.skipIf(!hasMp3gain || !hasFfmpeg).each(someOf(files, 3))("of %s sounds as mp3gain’s", async (name) => {
    const original = read(name);
    for (const steps of [-2, 3]) {
      const ours = await bytesOf(await changeGain(blob(original), steps));
      const theirs = mp3gain(original, steps, (path) => read(path));
      expect(Buffer.compare(decodeMp3(ours), decodeMp3(theirs))).toBe(0);
    }
  });

  it.skipIf(!hasFfmpeg).each(files.slice(-1))("of %s is louder by its steps for ffmpeg", async (name) => {
    const original = read(name);
    const before = ffmpegLoudness(name);
    for (const steps of [-4, 2]) {
      const copy = await bytesOf(await changeGain(blob(original), steps));
      const after = withFile(copy, ffmpegLoudness);
      expect(Math.abs(after.integrated - before.integrated - steps * STEP)).toBeLessThanOrEqual(0.15);
      expect(Math.abs(after.truePeak - before.truePeak - steps * STEP)).toBeLessThanOrEqual(0.15);
    }
  });

  it.skipIf(!hasFfmpeg)("has right checksums in protected frames, and leaves wrong ones", async () => {
    const wav = makeTone();
    const checked = withFile(wav, (path) => {
      run("ffmpeg", "-v", "error", "-f", "wav", "-i", path, `${path}.wav`);
      run("lame", "--quiet", "-p", "-m", "j", "-b", "96", `${path}.wav`, `${path}.out`);
      return read(`${path}.out`);
    });
    expect(checksumErrors(checked)).toBe("");
    const copy = await bytesOf(await changeGain(blob(checked), 2));
    expect(checksumErrors(copy)).toBe("");
    // ffmpeg does notice a wrong one.
    const { start } = await audioOf(blob(checked));
    const spoilt = checked.slice();
    for (let at = start; at < spoilt.length - 6; at++)
      if (spoilt[at] === 0xff && spoilt[at + 1] === 0xfa) spoilt[at + 4]! ^= 0x55;
    expect(checksumErrors(spoilt)).not.toBe("");
    const back = await changeGain(await changeGain(blob(spoilt), 3), -3);
    expect(Buffer.compare(await bytesOf(back), spoilt)).toBe(0);
  });

  it("has as many steps as the fields have room for, and leaves silent granules", async () => {
    expect(await readRoom(blob(quiet))).toEqual({ down: 0, up: 0 });
    expect(Buffer.compare(await bytesOf(await changeGain(blob(quiet), 5)), quiet)).toBe(0);
    const loud = blob(read("test/fixtures/recordings/cover-ape.mp3"));
    const { up, down } = await readRoom(loud);
    await expect(changeGain(loud, up + 1)).rejects.toThrow(RangeError);
    await expect(changeGain(loud, -down - 1)).rejects.toThrow(RangeError);
    expect(withinRoom(up + 5, { down, up })).toBe(up);
    expect(withinRoom(-down - 5, { down, up })).toBe(-down);
    await expect(readRoom(blob(read("test/fixtures/speech.ogg")))).rejects.toThrow("no MP3 audio");
  });
});

describe("the plan of a levelled copy", () => {
  const plan = (change: Partial<Loudness>) =>
    planLevel({
      integrated: -22,
      range: 3,
      truePeak: -12,
      channels: 2,
      missing: [],
      clipped: 0,
      firstClip: null,
      silences: [],
      curve: "",
      ...change,
    });

  it("is the nearest step to the aim, as far as the peaks allow", () => {
    expect(plan({})).toEqual({ steps: 4, words: "+6.0 dB: about −16.0 LUFS, with peaks of −6.0 dBTP." });
    expect(plan({ truePeak: -5 })).toEqual({
      steps: 2,
      words: "+3.0 dB: about −19.0 LUFS, with peaks of −2.0 dBTP. The peaks allow no more.",
    });
    expect(plan({ integrated: -12, truePeak: 1 })).toEqual({
      steps: -3,
      words: "−4.5 dB: about −16.5 LUFS, with peaks of −3.5 dBTP.",
    });
    expect(plan({ channels: 1 }).steps).toBe(2);
  });

  it("says why there is none", () => {
    expect(plan({ integrated: -16.9 })).toEqual({
      steps: 0,
      words: "The recording is as loud as it should be.",
    });
    expect(plan({ truePeak: -1.2 })).toEqual({
      steps: 0,
      words:
        "The peaks leave no room: louder, they would be distorted. Compress the recording in an audio program first.",
    });
    expect(plan({ integrated: null })).toEqual({ steps: 0, words: "A silent recording can’t be levelled." });
  });
});

/** A second of a tone as a WAV of 16 bits, 44.1 kHz, two channels. */
function makeTone() {
  const samples = Int16Array.from(
    { length: 88_200 },
    (_, at) => 8000 * Math.sin(((at >> 1) * 440 * 2 * Math.PI) / 44_100),
  );
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + samples.byteLength, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(2, 22);
  head.writeUInt32LE(44_100, 24);
  head.writeUInt32LE(176_400, 28);
  head.writeUInt16LE(4, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36);
  head.writeUInt32LE(samples.byteLength, 40);
  return new Uint8Array(Buffer.concat([head, Buffer.from(samples.buffer)]));
}
