import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { inspectAudio } from "#worker/files/inspect.ts";
import { ownerContext } from "./support/client.ts";
import { join } from "./support/mp3.ts";
import { uploadFile } from "./support/upload.ts";

beforeAll(() => env.DB.exec("create table test_users_of_files (a text, i text)"));

/** Their README tells how each was written, and what a decoder finds in it. */
const recordings = import.meta.glob<string>(["./fixtures/recordings/*", "!./fixtures/recordings/README.md"], {
  query: "?inline",
  import: "default",
  eager: true,
});

function recording(file: string) {
  const url = recordings[`./fixtures/recordings/${file}`]!;
  return Uint8Array.fromBase64(url.slice(url.indexOf(",") + 1));
}

const store = (bytes: Uint8Array, name: string) =>
  uploadFile(ownerContext(), join([bytes]), { name, folder: "podcast-audio" });

describe("a recording lasts as long as a decoder plays it", () => {
  test.each([
    ["flac.mp4", "flac.m4a", "audio/mp4", 1],
    ["opus.mp4", "opus.m4a", "audio/mp4", 1.018],
    ["lame.mp3", "lame.mp3", "audio/mpeg", 2],
    ["rf64.wav", "rf64.wav", "audio/wav", 0.5],
    ["bw64.wav", "bw64.wav", "audio/wav", 0.5],
  ])("%s", async (file, name, type, seconds) => {
    const stored = await store(recording(file), file);
    expect(stored).toMatchObject({ name, type, flaw: null, statedSeconds: null });
    expect(Math.abs(stored.durationSeconds! - seconds)).toBeLessThan(0.05);
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

test.each(["cover-unsynchronised.mp3", "cover-plain-sizes.mp3", "cover-ape.mp3"])(
  "%s has the cover and the title that its program wrote",
  async (file) => {
    const sound = await inspectAudio(new Blob([join([recording(file)])], { type: "audio/mpeg" }));
    expect(sound!.artwork).toMatchObject({ width: 300, height: 8, type: "image/jpeg" });
    expect(sound!.tags).toEqual({ title: "A tone", number: null });
  },
);

test.each(["layer-2.mp3", "layer-2-mpeg-1.mp3"])("%s is refused by its layer", async (file) => {
  await expect(store(recording(file), "talk.mp3")).rejects.toMatchObject({
    code: "invalid",
    message:
      "Browsers and podcast apps don’t play the audio in this file (MPEG Layer II). Export it as MP3 or M4A.",
  });
});
