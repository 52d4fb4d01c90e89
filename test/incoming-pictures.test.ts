import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { completeUpload, deleteFile, createUpload, uploadPart } from "#worker/files/commands.ts";
import { sweepFiles } from "#worker/files/library/sweep.ts";
import { fileParts } from "#worker/files/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { fetchSite, jobContext, ownerContext } from "./support/client.ts";
import { MB, noise, references, rowOf } from "./support/files.ts";
import { id3, join, makeMp3, makePng } from "./support/mp3.ts";
import { clean, hasText, inserted, photographs, segment, type Photograph } from "./support/pictures.ts";
import { deliverAll } from "./support/outbox.ts";
import { bodyOf, partOf, uploadFile } from "./support/upload.ts";

beforeAll(() => env.DB.exec("create table test_users_of_files (a text, i text)"));

const served = async (path: string) => new Uint8Array(await (await fetchSite(path)).arrayBuffer());
const tomorrow = () => jobContext({ now: new Date(Date.now() + 25 * 60 * 60 * 1000) });

/** All keys of a file in R2, in any folder. */
async function keysOf(id: string) {
  const { objects } = await env.MEDIA.list();
  return objects.map(({ key }) => key).filter((key) => key.includes(id));
}

/** An upload with all of its parts in R2, not yet complete. */
async function sent(ctx: Context, bytes: Uint8Array<ArrayBuffer>, name = "camera.jpg") {
  const upload = await createUpload(ctx, { name, type: "", folder: "articles", size: bytes.length });
  for (let number = 1; number <= upload.parts; number++) {
    await uploadPart(ctx, { id: upload.id, number, body: bodyOf(partOf(bytes, upload, number)) });
  }
  return (await rowOf(ctx, upload.id))!;
}

async function joinParts(ctx: Context, row: Awaited<ReturnType<typeof sent>>) {
  const parts = await ctx.db.select().from(fileParts);
  const own = parts.filter(({ fileId }) => fileId === row.id);
  await env.MEDIA.resumeMultipartUpload(row.key, row.uploadId!).complete(
    own.map(({ number, etag }) => ({ partNumber: number, etag })),
  );
}

/** R2 with some methods replaced. */
const bucketWith = (replaced: Partial<R2Bucket>) =>
  new Proxy(env.MEDIA, {
    get: (bucket, name) => Reflect.get(replaced, name) ?? Reflect.get(bucket, name).bind(bucket),
  });

const { bytes } = photographs["camera.jpg"];

describe("an uploaded photograph", () => {
  const accepted = Object.keys(photographs).filter((name) => name !== "camera.heic") as Photograph[];

  test.each(accepted)("is served without its metadata: %s", async (name) => {
    const photograph = photographs[name];
    const stored = await uploadFile(ownerContext(), photograph.bytes, { name, folder: "articles" });
    const expected = await clean(photograph);
    expect(await served(stored.url)).toEqual(expected);
    expect(stored).toMatchObject({ type: photograph.type, size: expected.length });
    const head = await fetchSite(stored.url, { method: "HEAD" });
    expect(Object.fromEntries(head.headers)).toMatchObject({
      "content-type": photograph.type,
      "content-length": String(expected.length),
      "content-disposition": `inline; filename="${name}"; filename*=UTF-8''${name}`,
    });
  });

  test("in HEIC is refused, since few browsers show it", async () => {
    const { bytes: heic } = photographs["camera.heic"];
    const upload = uploadFile(ownerContext(), heic, { name: "camera.heic", folder: "articles" });
    await expect(upload).rejects.toMatchObject({ code: "unsupported_type", field: "file" });
  });

  test("cannot be fetched before it is cleaned, and then has one address", async () => {
    const ctx = ownerContext();
    const row = await sent(ctx, bytes);
    expect(row.key).toMatch(/^incoming\/articles\//);
    await joinParts(ctx, row);
    expect(await keysOf(row.id)).toEqual([row.key]);
    for (const path of [row.key, row.key.replace("incoming/", ""), row.key.replace("/", "%2F")]) {
      expect((await fetchSite(`/media/${path}`)).status).toBe(404);
      expect((await fetchSite(`/media/${path}`, { method: "HEAD" })).status).toBe(404);
    }
    const { url } = await completeUpload(ctx, row.id);
    expect(url).toBe(`/media/${row.key.replace("incoming/", "")}`);
    expect(await keysOf(row.id)).toEqual([url.replace("/media/", "")]);
  });

  test("of many parts is cleaned in chunks, and never completely in memory", async () => {
    const ctx = ownerContext();
    const end = bytes.length - 2;
    // A comment after each stretch of the scan data, of which no byte may look like a marker.
    const scan = noise(9 * MB).map((byte) => byte >> 1);
    const large = join([bytes.subarray(0, end), scan, segment(0xfe, noise(60_000)), bytes.subarray(end)]);
    const lengths: number[] = [];
    const get = async (key: string, options: { range: { length: number } }) => {
      lengths.push(options.range.length);
      return env.MEDIA.get(key, options);
    };
    const media = bucketWith({ get: get as R2Bucket["get"] });
    const row = await sent(ctx, large);
    const { url, size } = await completeUpload({ ...ctx, media }, row.id);
    const expected = join([await clean({ bytes, type: "image/jpeg" })]);
    expect(size).toBe(expected.length + scan.length);
    const got = await served(url);
    expect(got.length).toBe(size);
    expect(got.subarray(expected.length - 2, -2)).toEqual(scan);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(4 * MB);
    expect(lengths.length).toBeLessThan(20);
  });

  test("is read although megabytes of metadata precede its headers", async () => {
    const notes = Array.from({ length: 100 }, () => segment(0xe1, new Uint8Array(65_000)));
    const stored = await uploadFile(ownerContext(), inserted(bytes, 2, join(notes)), {
      name: "camera.jpg",
      folder: "articles",
    });
    expect(stored).toMatchObject({ width: 32, height: 48 });
  });

  test("embedded in audio is cleaned, too", async () => {
    const sound = makeMp3({ seconds: 1, tag: { picture: { type: "image/jpeg", bytes } } });
    const { artwork } = await uploadFile(ownerContext(), sound, { name: "a.mp3", folder: "podcast-audio" });
    expect(await served(artwork!.url)).toEqual(await clean({ bytes, type: "image/jpeg" }));
  });
});

describe("a picture upload that crashes", () => {
  const expectClean = async (ctx: Context, id: string) => {
    const { url } = await completeUpload(ctx, id);
    expect(hasText(await served(url), "MARKER")).toBe(false);
    expect(await keysOf(id)).toEqual([url.replace("/media/", "")]);
  };

  test("after its parts were joined continues from there", async () => {
    const ctx = ownerContext();
    const row = await sent(ctx, bytes);
    await joinParts(ctx, row);
    await expectClean(ctx, row.id);
  });

  test("while the cleaned picture is written exposes nothing, and continues", async () => {
    const ctx = ownerContext();
    const row = await sent(ctx, bytes);
    let reads = 0;
    const get = async (key: string, options: R2GetOptions) => {
      if (++reads > 1) throw new Error("R2 is away");
      return env.MEDIA.get(key, options);
    };
    const media = bucketWith({ get: get as R2Bucket["get"] });
    await expect(completeUpload({ ...ctx, media }, row.id)).rejects.toThrow("could not be read");
    expect(await keysOf(row.id)).toEqual([row.key]);
    await expectClean(ctx, row.id);
  });

  test("before its row has the final key continues", async () => {
    const ctx = ownerContext();
    const row = await sent(ctx, bytes);
    const put = async (...args: Parameters<R2Bucket["put"]>) => {
      await env.MEDIA.put(...args);
      throw new Error("The request died");
    };
    const media = bucketWith({ put: put as R2Bucket["put"] });
    await expect(completeUpload({ ...ctx, media }, row.id)).rejects.toThrow("died");
    expect((await keysOf(row.id)).length).toBe(2);
    await expectClean(ctx, row.id);
  });

  test("before the original is deleted leaves it to the outbox", async () => {
    const ctx = ownerContext();
    const row = await sent(ctx, bytes);
    const media = bucketWith({ delete: () => Promise.reject(new Error("The request died")) });
    const file = await completeUpload({ ...ctx, media }, row.id);
    expect((await keysOf(row.id)).length).toBe(2);
    expect(await completeUpload(ctx, row.id)).toEqual(file);
    expect((await fetchSite(`/media/${row.key}`)).status).toBe(404);
    await deliverAll(tomorrow());
    // Its smaller copies were made, too.
    expect(await keysOf(row.id)).toContain(file.url.replace("/media/", ""));
    expect(await keysOf(row.id)).not.toContain(row.key);
  });

  test("for good leaves nothing after a day, neither the original nor the cleaned picture", async () => {
    const ctx = ownerContext();
    const row = await sent(ctx, bytes);
    await joinParts(ctx, row);
    await env.MEDIA.put(row.key.replace("incoming/", ""), "written before the row was");
    await sweepFiles(tomorrow(), references);
    expect(await rowOf(ctx, row.id)).toBeUndefined();
    expect(await keysOf(row.id)).toEqual([]);
  });
});

test("two concurrent completions of a picture return the same file", async () => {
  const ctx = ownerContext();
  const row = await sent(ctx, bytes);
  const [first, second] = await Promise.all([completeUpload(ctx, row.id), completeUpload(ctx, row.id)]);
  expect(second).toEqual(first);
  expect(await served(first.url)).toEqual(await clean({ bytes, type: "image/jpeg" }));
  expect(await keysOf(row.id)).toEqual([first.url.replace("/media/", "")]);
});

test("a completion overtaken by one that completes and deletes the original returns the same file", async () => {
  const ctx = ownerContext();
  const row = await sent(ctx, bytes);
  let others: Promise<unknown> | undefined;
  const get = async (key: string, options: R2GetOptions) => {
    await (others ??= completeUpload(ctx, row.id));
    return env.MEDIA.get(key, options);
  };
  const file = await completeUpload({ ...ctx, media: bucketWith({ get: get as R2Bucket["get"] }) }, row.id);
  expect(file).toEqual(await others);
});

test("a picture that is cancelled after its upload, or after its cleaning, leaves nothing", async () => {
  const ctx = ownerContext();
  const row = await sent(ctx, bytes);
  await joinParts(ctx, row);
  await env.MEDIA.put(row.key.replace("incoming/", ""), "written before the row was");
  await deleteFile(ctx, row.id, references);
  expect(await keysOf(row.id)).toEqual([]);
});

test("the last part sent again after completion changes nothing, although the cleaned picture is smaller", async () => {
  const ctx = ownerContext();
  const large = inserted(bytes, 2, join(Array.from({ length: 130 }, () => segment(0xfe, noise(65_000)))));
  const row = await sent(ctx, large);
  await completeUpload(ctx, row.id);
  const again = await uploadPart(ctx, { id: row.id, number: 2, body: bodyOf(large.slice(8 * MB)) });
  expect(again).toMatchObject({ status: "complete" });
});

describe("a picture is refused with a message", () => {
  const upload = (file: Uint8Array<ArrayBuffer>, name = "a.png") =>
    uploadFile(ownerContext(), file, { name, folder: "articles" });
  const left = async () => (await env.MEDIA.list()).objects.map(({ key }) => key);

  test.each([
    [30_000, 30_000, "30,000 × 30,000"],
    [12_001, 10, "12,001 × 10"],
    [10, 12_001, "10 × 12,001"],
    [10_000, 5001, "10,000 × 5,001"],
  ])("with %i × %i pixels", async (width, height, stated) => {
    const before = await left();
    await expect(upload(makePng(width, height))).rejects.toMatchObject({
      code: "invalid",
      message: `This picture is ${stated} pixels. The limit is 50 megapixels, and 12,000 pixels a side.`,
      field: "file",
    });
    expect(await left()).toEqual(before);
  });

  test("and accepted with 50 megapixels, or 12,000 pixels on a side", async () => {
    expect(await upload(makePng(10_000, 5000))).toMatchObject({ width: 10_000 });
    expect(await upload(makePng(12_000, 4000))).toMatchObject({ width: 12_000 });
  });

  test("if it is truncated", async () => {
    const before = await left();
    await expect(upload(bytes.slice(0, -2), "a.jpg")).rejects.toMatchObject({
      code: "invalid",
      message: "The file seems cut off. Upload it again.",
      field: "file",
    });
    expect(await left()).toEqual(before);
  });

  test.each([
    ["too large", makePng(30_000, 30_000)],
    ["cut off", makePng(20, 20).slice(0, -12)],
  ])("but left out of audio: %s", async (_what, picture) => {
    const sound = join([id3({ picture: { type: "image/png", bytes: picture } }), makeMp3({ seconds: 1 })]);
    const stored = await uploadFile(ownerContext(), sound, { name: "a.mp3", folder: "podcast-audio" });
    expect(stored).toMatchObject({ artwork: null });
    expect(stored.durationSeconds).toBeGreaterThan(0);
  });
});

test("no other prefix of the bucket is served", async () => {
  await env.MEDIA.put("exports/a.zip", "somebody else's");
  await env.MEDIA.put("incoming/articles/x/a.jpg", "not yet clean");
  for (const path of [
    "exports/a.zip",
    "incoming/articles/x/a.jpg",
    "constructor/a",
    "%69ncoming/articles/x/a.jpg",
  ]) {
    expect((await fetchSite(`/media/${path}`)).status).toBe(404);
  }
});
