import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { faultsInWords } from "#worker/files/contract.ts";
import { inspectAudio } from "#worker/files/inspect.ts";
import { ownerContext } from "./support/client.ts";
import { join } from "./support/mp3.ts";
import { uploadFile } from "./support/upload.ts";

beforeAll(() => env.DB.exec("create table test_users_of_files (a text, i text)"));

/** Their README explains how each was made, and what a decoder finds in it. */
const recordings = import.meta.glob<string>(["./fixtures/recordings/*", "!./fixtures/recordings/README.md"], {
  query: "?inline",
  import: "default",
  eager: true,
});

function recording(file: string) {
  const url = recordings[`./fixtures/recordings/${file}`]!;
  return Uint8Array.fromBase64(url.slice(url.indexOf(",") + 1));
}

/** Large files are packed twice: they are almost empty. */
async function unpacked(file: string) {
  const bytes = new Blob([recording(file)]).stream();
  const unpack = () => new DecompressionStream("gzip");
  return new Response(bytes.pipeThrough(unpack()).pipeThrough(unpack())).arrayBuffer();
}

const chapter = (start: number, title: string, url?: string) => ({ start, title, ...(url && { url }) });

const store = (bytes: Uint8Array, name: string) =>
  uploadFile(ownerContext(), join([bytes]), { name, folder: "podcast-audio" });

describe("a recording lasts as long as a decoder plays it", () => {
  test.each([
    ["flac.mp4", "flac.m4a", "audio/mp4", 1],
    ["opus.mp4", "opus.m4a", "audio/mp4", 1.018],
    ["lame.mp3", "lame.mp3", "audio/mpeg", 2],
    ["rf64.wav", "rf64.wav", "audio/wav", 0.5],
    ["bw64.wav", "bw64.wav", "audio/wav", 0.5],
    ["pipe.flac", "pipe.flac", "audio/flac", 1],
    ["edited.m4a", "edited.m4a", "audio/x-m4a", 1.005],
    ["edited-wide.m4a", "edited-wide.m4a", "audio/x-m4a", 1.005],
    ["edited-late.m4a", "edited-late.m4a", "audio/x-m4a", 1.005],
    ["edited-twice.m4a", "edited-twice.m4a", "audio/x-m4a", 1.505],
    ["fragments-delayed.m4a", "fragments-delayed.m4a", "audio/x-m4a", 2.027],
    ["fragments-after.m4a", "fragments-after.m4a", "audio/x-m4a", 2.027],
    ["itunsmpb.m4a", "itunsmpb.m4a", "audio/x-m4a", 1],
  ])("%s lasts as long as a decoder plays it", async (file, name, type, seconds) => {
    const stored = await store(recording(file), file);
    expect(stored).toMatchObject({ name, type, flaw: null, statedSeconds: null });
    expect(Math.abs(stored.durationSeconds! - seconds)).toBeLessThan(0.05);
  });

  const repeated = (file: string, times: number) =>
    join(Array.from({ length: times }, () => recording(file)));

  test.each([
    ["mp3", [450, 500], 1026],
    ["aac", [600, 500], 1196.8],
  ] as const)("a long %s of variable bitrate without a count", async (type, [loud, quiet], seconds) => {
    const stored = await store(
      join([repeated(`vbr-loud.${type}`, loud), repeated(`vbr-quiet.${type}`, quiet)]),
      `long.${type}`,
    );
    expect(stored).toMatchObject({ flaw: null, statedSeconds: null });
    expect(Math.abs(stored.durationSeconds! - seconds)).toBeLessThan(0.05);
  });

  test.each([
    ["joined.opus", 1.5, 1],
    ["joined.ogg", 1.543, 1],
    ["joined-one-number.opus", 2.006, 1],
  ])("%s, all of it, and is reported as joined", async (file, seconds, first) => {
    const stored = await store(recording(file), file);
    expect(stored).toMatchObject({ flaw: "joined", statedSeconds: first });
    expect(Math.abs(stored.durationSeconds! - seconds)).toBeLessThan(0.05);
  });

  test("Ogg files of two codecs, the first alone, with which decoders stop", async () => {
    const stored = await store(join([recording("joined.opus"), recording("joined.ogg")]), "joined.opus");
    expect(stored).toMatchObject({ flaw: "joined", statedSeconds: 1 });
    expect(Math.abs(stored.durationSeconds! - 1.5)).toBeLessThan(0.05);
    const one = recording("station.opus");
    const mixed = await store(join([one, recording("joined.ogg")]), "joined.opus");
    expect(mixed).toMatchObject({ flaw: "joined", statedSeconds: null });
    expect(Math.abs(mixed.durationSeconds! - 2)).toBeLessThan(0.05);
  });

  test("two MP3s with a count each, all of it", async () => {
    const stored = await store(repeated("lame.mp3", 2), "lame.mp3");
    expect(stored).toMatchObject({ flaw: "joined", statedSeconds: 2 });
    expect(Math.abs(stored.durationSeconds! - 4.143)).toBeLessThan(0.05);
  });

  test("two FLACs, the first alone, with which players stop", async () => {
    const stored = await store(repeated("pipe.flac", 2), "pipe.flac");
    expect(stored).toMatchObject({ flaw: "joined", statedSeconds: null, durationSeconds: 1 });
  });

  test.each([
    ["station.opus", 2],
    ["station.ogg", 4.168],
  ])("%s, from the start of the recording of a longer stream", async (file, seconds) => {
    const stored = await store(recording(file), file);
    expect(Math.abs(stored.durationSeconds! - seconds)).toBeLessThan(0.05);
  });

  test("a FLAC without a length that is cut off, to its last whole frame", async () => {
    const stored = await store(recording("pipe.flac").subarray(0, -300), "pipe.flac");
    expect(stored).toMatchObject({ flaw: "cut_off", statedSeconds: null });
    expect(Math.abs(stored.durationSeconds! - 0.864)).toBeLessThan(0.05);
  });

  test("a long WAV that is cut off has what is there of it", async () => {
    const bytes = recording("rf64.wav");
    // Two more seconds of it, as its first chunk counts the sound.
    const longer = join([bytes, new Uint8Array(2 * 16_000)]);
    new DataView(longer.buffer).setUint32(28, 8000 + 4 * 16_000, true);
    const stored = await store(longer, "cut.wav");
    expect(stored).toMatchObject({ flaw: "cut_off", durationSeconds: 2.5, statedSeconds: 4.5 });
  });
});

test.each([
  "cover-unsynchronised.mp3",
  "cover-unsynchronised-4.mp3",
  "cover-plain-sizes.mp3",
  "cover-ape.mp3",
])("%s has the cover and the title that its program wrote", async (file) => {
  const sound = await inspectAudio(new Blob([join([recording(file)])], { type: "audio/mpeg" }));
  expect(sound!.artwork).toMatchObject({ width: 300, height: 8, type: "image/jpeg" });
  expect(sound!.tags).toEqual({ title: "A tone", number: null });
});

test.each([
  ["cover-large.mp3", "audio/mpeg"],
  ["cover-ape-vast.mp3", "audio/mpeg"],
  ["cover-large.flac", "audio/flac"],
  ["cover-large.m4a", "audio/mp4"],
])("%s has a cover that is too large, and says so", async (file, type) => {
  const sound = await inspectAudio(new Blob([await unpacked(`${file}.gz.gz`)], { type }));
  expect(sound).toMatchObject({
    artwork: null,
    tags: { title: "A tone", number: null, refusedCover: "a picture of more than 10MB" },
  });
});

test("a cover of an MP4 has the type that its bytes show, even if the file names none", async () => {
  const file = new Blob([join([recording("cover-implicit.m4a")])], { type: "audio/mp4" });
  expect((await inspectAudio(file))!.artwork).toMatchObject({ width: 16, height: 16, type: "image/png" });
});

test("a FLAC in Ogg has its cover, title and number", async () => {
  const file = new Blob([join([recording("chapters-flac.oga")])], { type: "audio/ogg" });
  const sound = await inspectAudio(file);
  expect(sound!.artwork).toMatchObject({ width: 16, height: 16, type: "image/png" });
  expect(sound).toMatchObject({ durationSeconds: 0.5, tags: { title: "A tone", number: 7 } });
});

/** [the file, its type, the chapters that its README names] */
test.each([
  ...[
    ["chapters-ffmpeg.opus", "audio/ogg"],
    ["chapters-vorbiscomment.ogg", "audio/ogg"],
    ["chapters-metaflac.flac", "audio/flac"],
    ["chapters-track.m4a", "audio/mp4"],
    ["chapters-nero.m4a", "audio/mp4"],
  ].map(([file, type]) => [file!, type!, [chapter(0, "Début"), chapter(1.25, "The market")]] as const),
  [
    "chapters-opusenc.opus",
    "audio/ogg",
    [chapter(0, "Début"), chapter(1.25, "The market", "https://example.com/market")],
  ],
  ["chapters-flac.oga", "audio/ogg", [chapter(0, "Début"), chapter(0.25, "The market")]],
  ["chapters-nested.mp3", "audio/mpeg", [chapter(0, "Début"), chapter(0.25, "The market")]],
  ["chapters-untitled.m4a", "audio/mp4", [chapter(0, "Chapter 1"), chapter(1.25, "Chapter 2")]],
  ["chapters-untitled.mp3", "audio/mpeg", [chapter(0, "Chapter 1"), chapter(1.25, "Chapter 2")]],
  ...["chapters-mutagen-2.3.mp3", "chapters-mutagen-2.4.mp3"].map(
    (file) =>
      [
        file,
        "audio/mpeg",
        [
          chapter(0, "Début"),
          chapter(1, "The market", "https://example.com/market"),
          chapter(2, "Chapter 3"),
        ],
      ] as const,
  ),
  [
    "chapters-wavefile.wav",
    "audio/wav",
    [chapter(0, "Start"), chapter(1.25, "The market"), chapter(2, "Chapter 3")],
  ],
  [
    "chapters-python.aiff",
    "audio/aiff",
    [chapter(0, "Début"), chapter(0.25, "The market"), chapter(0.375, "Chapter 3")],
  ],
] as const)("%s has the chapters that its program wrote", async (file, type, chapters) => {
  const sound = await inspectAudio(new Blob([join([recording(file)])], { type }));
  expect(sound!.chapters.map(({ picture: _picture, ...found }) => found)).toEqual(chapters);
});

test("cue points of a WAV without labels are not chapters", async () => {
  const bytes = recording("chapters-wavefile.wav");
  const at = bytes.findLastIndex(
    (_, index) => new TextDecoder().decode(bytes.subarray(index, index + 4)) === "adtl",
  );
  bytes.set(new TextEncoder().encode("none"), at);
  const sound = await inspectAudio(new Blob([join([bytes])], { type: "audio/wav" }));
  expect(sound!.chapters).toEqual([]);
});

test.each([
  ["layer-1.mp3", "MPEG Layer I"],
  ["layer-2.mp3", "MPEG Layer II"],
  ["layer-2-mpeg-1.mp3", "MPEG Layer II"],
])("%s is refused by its layer", async (file, layer) => {
  await expect(store(recording(file), "talk.mp3")).rejects.toMatchObject({
    code: "invalid",
    message: `Browsers and podcast apps don’t play the audio in this file (${layer}). Export it as MP3 or M4A.`,
  });
});

test("a purchase of the iTunes Store is refused, with what protects it", async () => {
  await expect(store(recording("drms.m4a"), "talk.m4p")).rejects.toMatchObject({
    code: "invalid",
    message:
      "This recording is copy-protected with Apple’s FairPlay: only its buyer’s apps play it. Export your original as MP3 or M4A, without protection, and upload that.",
  });
});

test.each(["chapters-many.mp3", "chapters-many.m4a"])(
  "of 501 chapters the first 500 are read, and the others are reported: %s",
  async (file) => {
    const stored = await store(recording(file), file);
    expect(stored.chapters.length).toBe(500);
    expect(stored.chapters.at(-1)).toEqual(chapter(0.998, "500"));
    expect(stored.tags).toEqual({ title: "A tone", number: null, hasMoreChapters: true });
    expect(faultsInWords(stored)).toBe(
      "The audio file has more than 500 chapters: only the first 500 are used.",
    );
  },
);

test("of thousands of chapters in an M4A the first 500 are read, by their track", async () => {
  const bytes = await unpacked("chapters-thousands.m4a.gz.gz");
  const { chapters, tags } = (await inspectAudio(new Blob([bytes], { type: "audio/mp4" })))!;
  expect([chapters.length, chapters.at(-1)]).toEqual([500, { start: 0.499, title: "500" }]);
  expect(tags).toMatchObject({ hasMoreChapters: true });
});

test("the chapters of an encoded tag of version 4", async () => {
  const file = new Blob([join([recording("cover-unsynchronised-4.mp3")])], { type: "audio/mpeg" });
  expect((await inspectAudio(file))!.chapters).toEqual([{ start: 0, title: "ÿā one" }]);
});

test("equal pictures of chapters count once, over all tags, and those that are left out have a reason", async () => {
  const bytes = await unpacked("chapter-pictures-large.mp3.gz.gz");
  const { chapters } = (await inspectAudio(new Blob([bytes], { type: "audio/mpeg" })))!;
  const pictures = chapters.map(({ picture, refusedPicture }) => refusedPicture ?? picture);
  const [teal, , olive] = pictures;
  expect([teal, olive]).toMatchObject([{ width: 1450 }, { width: 1450 }]);
  expect(olive).not.toEqual(teal);
  // Objects, each stored once.
  expect(pictures.map((picture) => [teal, olive].indexOf(picture))).toEqual([0, 0, 1, 0, -1, 1, -1]);
  expect([pictures[4], pictures[6]]).toEqual([
    "only 16MB of chapter pictures are used",
    "a picture of more than 10MB",
  ]);
});
