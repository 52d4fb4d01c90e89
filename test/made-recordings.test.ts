import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { inspectAudio } from "#worker/files/inspect.ts";
import { readType } from "#worker/files/types.ts";
import { ownerContext } from "./support/client.ts";
import { join } from "./support/mp3.ts";
import { uploadFile } from "./support/upload.ts";
import readme from "./fixtures/made/README.md?raw";

beforeAll(() => env.DB.exec("create table test_users_of_files (a text, i text)"));

/** Their README says which program wrote each, and how. */
const recordings = import.meta.glob<string>("./fixtures/made/recordings/*", {
  query: "?inline",
  import: "default",
  eager: true,
});
const names = Object.keys(recordings).map((path) => path.slice(path.lastIndexOf("/") + 1));

function recording(file: string) {
  const url = recordings[`./fixtures/made/recordings/${file}`]!;
  return Uint8Array.fromBase64(url.slice(url.indexOf(",") + 1));
}

type Expected = [seconds: number, cover?: string | null, title?: string, number?: number];

const FRONT = "96 × 96 image/jpeg";
const TONE = "A tone";

/** Seconds as `ffmpeg` decodes the file; cover, title and number as the program was given them. */
const played: Record<string, Expected> = {
  "lame-cbr.mp3": [1.08],
  "lame-vbr.mp3": [1],
  "lame-abr-no-header.mp3": [1.08],
  "lame-cover.mp3": [1.08, FRONT, TONE, 7],
  "lame-id3v1.mp3": [1.08, null, TONE, 7],
  "lame-utf16.mp3": [1.08, null, "Zoës Ton"],
  // The back cover is the first.
  "eyed3-2.3.mp3": [1.08, FRONT, TONE, 7],
  "eyed3-2.4.mp3": [1.08, FRONT, TONE, 7],
  // 9000 × 9000 are more pixels than a cover may have.
  "eyed3-huge.mp3": [1, "a picture that is cut off or has more than 50 megapixels", TONE],
  "mid3v2.mp3": [1.08, FRONT, TONE, 7],
  "mid3v2-gif.mp3": [1, "48 × 48 image/gif", TONE],
  // Browsers show BMP, podcast apps do not.
  "mid3v2-bmp.mp3": [1, "a BMP picture", TONE],
  "kid3-2.3.mp3": [1.08, FRONT, TONE, 7],
  "kid3-2.4.mp3": [1.08, "80 × 80 image/webp", TONE],
  "id3v2.mp3": [1.08, null, TONE, 7],
  "ffmpeg-cover.mp3": [1.047, FRONT, TONE],
  "mp3splt.mp3": [0.504],
  "opusenc.opus": [1, FRONT, TONE, 7],
  "opusenc-two.opus": [1, FRONT],
  "oggenc.ogg": [1.024, null, TONE, 7],
  "vorbiscomment.ogg": [1.024, null, "Another tone"],
  "kid3.ogg": [1.024, FRONT, TONE, 7],
  "sox.ogg": [0.512],
  "flac.flac": [0.5, FRONT, TONE, 7],
  "metaflac.flac": [0.5, FRONT, TONE, 7],
  // Its tags are in the form of FLAC within that of Ogg, and are not read.
  "flac.oga": [0.5, null, TONE],
  "sox.flac": [0.3],
  "sox-pipe.flac": [0.3],
  "sox.wav": [0.5],
  "sox.aiff": [0.25],
  "sox.aifc": [0.1],
  "ffmpeg.m4a": [1.024, null, TONE, 7],
  "ffmpeg-alac.m4a": [1],
  "ffmpeg-fragmented.m4a": [1.088],
  "ffmpeg-bmp.m4a": [1.024, "a BMP picture", TONE, 7],
  "ffmpeg.aac": [1.088],
  "atomicparsley-jpg.m4a": [1.024, FRONT, TONE, 7],
  "atomicparsley-png.m4a": [1.024, "64 × 64 image/png", TONE, 7],
  "kid3.m4a": [1.024, FRONT, TONE, 7],
};

const unplayed = (codec: string) =>
  `Browsers and podcast apps don’t play the audio in this file (${codec}). Export it as MP3 or M4A.`;
const VIDEO = "This is a video. Export only its audio, as MP3 or M4A, and upload that.";
const MATROSKA =
  "This is a Matroska or WebM file, which podcast apps don’t play. Export its audio as MP3 or M4A, and upload that.";

const refused: Record<string, string> = {
  "abc2midi.mid": unplayed("MIDI"),
  "ffmpeg.ac3": unplayed("Dolby Digital"),
  "ffmpeg.caf": unplayed("CAF"),
  "ffmpeg.dts": unplayed("DTS"),
  "ffmpeg.rm": unplayed("RealAudio"),
  "ffmpeg.tta": unplayed("True Audio"),
  "ffmpeg.wma": unplayed("Windows Media"),
  "mpcenc.mpc": unplayed("Musepack"),
  "sox-w64.w64": unplayed("Wave64"),
  "sox.amr-nb": unplayed("AMR"),
  "sox.au": unplayed("Sun audio"),
  "sox.voc": unplayed("VOC"),
  "speexenc.spx": unplayed("Speex"),
  "twolame.mp2": unplayed("MPEG Layer II"),
  "wavpack.wv": unplayed("WavPack"),
  "ffmpeg-video.mp4": VIDEO,
  "ffmpeg-video.mov": VIDEO,
  "ffmpeg-video.ogv": VIDEO,
  "ffmpeg-video.mkv": MATROSKA,
  "ffmpeg.mka": MATROSKA,
  "ffmpeg.webm": MATROSKA,
  "zip.zip": "This is an archive. Unpack it, and upload the recording that is in it.",
};

const upload = (bytes: Uint8Array, name: string) =>
  uploadFile(ownerContext(), join([bytes]), { name, folder: "podcast-audio" });

describe("a recording that a program wrote", () => {
  test.each(Object.entries(played))(
    "has the length, cover and title that it was given: %s",
    async (file, [seconds, cover = null, title, number = null]) => {
      const bytes = recording(file);
      const { mime } = (await readType(bytes, "podcast-audio"))!;
      const sound = (await inspectAudio(new Blob([join([bytes])], { type: mime })))!;
      expect(Math.abs(sound.durationSeconds! - seconds)).toBeLessThan(0.05);
      const { width, height, type } = sound.artwork ?? {};
      const { refusedCover, ...tags } = sound.tags ?? {};
      expect(sound.artwork ? `${width} × ${height} ${type}` : (refusedCover ?? null)).toBe(cover);
      expect(tags).toEqual(title === undefined ? {} : { title, number });
    },
  );

  test.each(Object.entries(refused))(
    "is refused with a message, whatever its name: %s",
    async (file, message) => {
      await expect(upload(recording(file), "talk.mp3")).rejects.toMatchObject({ message, field: "file" });
    },
  );

  test("is refused if half of it is missing", async () => {
    const half = recording("atomicparsley-jpg.m4a").subarray(0, 2000);
    await expect(upload(half, "half.m4a")).rejects.toMatchObject({
      message: "The file seems cut off. Upload it again.",
    });
  });

  test.each([
    ["a web page", "<!doctype html>\n<title>Sign in</title>", /^This is a web page, not a recording\./],
    ["a PDF", "%PDF-1.4\n1 0 obj\n", /^This is a PDF, not a recording\./],
  ])("%s instead of a recording is refused with a message", async (_what, text, message) => {
    const page = upload(new TextEncoder().encode(text), "talk.mp3");
    await expect(page).rejects.toMatchObject({ message: expect.stringMatching(message), field: "file" });
  });

  test("is in a table, and its program and recipe in the README", () => {
    expect(names.toSorted()).toEqual([...Object.keys(played), ...Object.keys(refused)].toSorted());
    expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
  });
});
