import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { readPicture } from "#worker/files/pictures/picture-headers.ts";
import { findStoredFiles } from "#worker/files/stored.ts";
import { fetchSite, jobContext, ownerContext } from "./support/client.ts";
import { FRAME_SECONDS, id3, makeMp3, makePng } from "./support/mp3.ts";
import { photographs } from "./support/pictures.ts";
import { uploadFile } from "./support/upload.ts";
import { MB, text, rowOf } from "./support/files.ts";

beforeAll(() => env.DB.exec("create table test_users_of_files (a text, i text)"));

describe("the facts read from audio", () => {
  const store = (bytes: Uint8Array<ArrayBuffer>) =>
    uploadFile(ownerContext(), bytes, { name: "a.mp3", folder: "podcast-audio" });

  test("duration and the first byte of sound, with and without a tag", async () => {
    const tag = { title: "A title" };
    const plain = await store(makeMp3({ seconds: 61.3 }));
    const tagged = await store(makeMp3({ seconds: 61.3, tag }));
    expect(plain.durationSeconds).toBeCloseTo(61.3, 1);
    expect(tagged.durationSeconds).toBeCloseTo(61.3, 1);
    expect((await rowOf(jobContext(), plain.id))!.audioStart).toBe(0);
    expect((await rowOf(jobContext(), tagged.id))!.audioStart).toBe(id3(tag).length);
  });

  test("a variable bitrate with a frame count", async () => {
    const bitrate = (frame: number) => (frame < 200 ? 32 : 320);
    const stored = await store(makeMp3({ seconds: 60, bitrate, xing: true }));
    expect(stored.durationSeconds).toBeCloseTo(60, 1);
  });

  test("a variable bitrate without one that begins as if it were constant", async () => {
    const bitrate = (frame: number) => (frame < 200 ? 32 : [64, 128, 320][frame % 3]!);
    const stored = await store(makeMp3({ seconds: 60, bitrate }));
    expect(stored.durationSeconds).toBeCloseTo(60, 1);
  });

  test("a long one of variable bitrate is worked out from stretches of it, within 2 %", async () => {
    const bitrate = (frame: number) => [64, 96, 320, 128][Math.floor(frame / 50) % 4]!;
    const stored = await store(makeMp3({ seconds: 600, bitrate }));
    expect(stored.size).toBeGreaterThan(8 * MB);
    expect(Math.abs(stored.durationSeconds! - 600)).toBeLessThan(12);
  });

  test("the picture inside becomes a file of its own", async () => {
    const bytes = makePng(1400, 1400);
    const { artwork } = await store(makeMp3({ seconds: 1, tag: { picture: { type: "image/jpeg", bytes } } }));
    const found = await findStoredFiles(jobContext(), [artwork!.id]);
    expect(found.get(artwork!.id)).toMatchObject({
      url: artwork!.url,
      type: "image/png",
      width: 1400,
      height: 1400,
    });
    const served = await fetchSite(artwork!.url);
    expect(served.headers.get("Content-Type")).toBe("image/png");
    expect(new Uint8Array(await served.arrayBuffer())).toEqual(bytes);
  });

  test("a cover that is not a picture, or has 10 MB, is not extracted", async () => {
    const page = { type: "image/png", bytes: text("<svg xmlns='http://www.w3.org/2000/svg'/>") };
    const large = { type: "image/png", bytes: makePng(10, 10, { bytes: 10 * MB }) };
    expect((await store(makeMp3({ seconds: 1, tag: { picture: page } }))).artwork).toBeNull();
    expect((await store(makeMp3({ seconds: 1, tag: { picture: large } }))).artwork).toBeNull();
  });

  test("chapters inside are read, in the order of time", async () => {
    const chapters = [
      { start: 30.5, end: 60, title: "Second" },
      { start: 0, end: 30.5, title: "First" },
    ];
    const stored = await store(makeMp3({ seconds: 60, tag: { chapters } }));
    expect(stored.chapters).toEqual([
      { start: 0, title: "First" },
      { start: 30.5, title: "Second" },
    ]);
  });

  test.each([
    ["a small part of it, where its length is stated", true, 1 / 5],
    ["it once, where each frame is counted", false, 1.1],
  ])("reading a file of 60 MB fetches %s", async (_what, xing, share) => {
    const ctx = ownerContext();
    const frames = makeMp3({ seconds: 1500, bitrate: () => 320, xing });
    const fetched: number[] = [];
    const media = new Proxy(ctx.media, {
      get(bucket, name) {
        if (name !== "get") return Reflect.get(bucket, name).bind(bucket);
        return (key: string, options: { range: { length: number } }) => {
          fetched.push(options.range.length);
          return bucket.get(key, options);
        };
      },
    });
    const stored = await uploadFile({ ...ctx, media }, frames, { name: "a.mp3", folder: "podcast-audio" });
    expect(stored.durationSeconds).toBeCloseTo(Math.round(1500 / FRAME_SECONDS) * FRAME_SECONDS, 1);
    expect(fetched.length).toBeLessThan(30);
    expect(fetched.reduce((total, length) => total + length)).toBeLessThan(share * frames.length);
  });
});

describe("the facts read from a picture", () => {
  test.each([true, false])("size and transparency (%s)", async (alpha) => {
    const stored = await uploadFile(ownerContext(), makePng(640, 480, { alpha }), {
      name: "a.png",
      folder: "articles",
    });
    expect(stored).toMatchObject({ width: 640, height: 480, hasAlpha: alpha });
  });

  test("print colours", async () => {
    const { bytes, type } = photographs["camera.jpg"];
    // Behind marker, length, precision and size: the number of components.
    const at =
      bytes.findIndex((byte, index) => byte === 0xff && [0xc0, 0xc2].includes(bytes[index + 1]!)) + 9;
    expect(readPicture(bytes, type)).toMatchObject({ isCmyk: false });
    expect(readPicture(bytes.with(at, 4), type)).toMatchObject({ isCmyk: true });
  });

  test("a picture without sensible headers is refused", async () => {
    const upload = uploadFile(ownerContext(), makePng(0, 0), { name: "a.png", folder: "articles" });
    await expect(upload).rejects.toMatchObject({ code: "invalid", field: "file" });
  });
});
