import { env } from "cloudflare:workers";
import { and, eq, isNull } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { eraseItem, restoreItem } from "#worker/bin/commands.ts";
import { createUpload, deleteFile } from "#worker/files/commands.ts";
import { compareObject } from "#worker/files/hashes.ts";
import { sweepFiles } from "#worker/files/library/sweep.ts";
import { media } from "#worker/files/media.ts";
import { OBJECTS_TOPIC } from "#worker/files/objects.ts";
import { openObject } from "#worker/files/open.ts";
import { makeVariants } from "#worker/files/pictures/variants.ts";
import { binnedFiles, files, objectHashes } from "#worker/files/table.ts";
import { filePlaces, fileReferences } from "#worker/nouns/list.ts";
import type { Context } from "#worker/platform/context.ts";
import { answerError, router } from "#worker/platform/http/router.ts";
import { outbox } from "#worker/platform/table.ts";
import { fetchSite, jobContext, ownerContext, visitorContext } from "./support/client.ts";
import { storedAudio, storedImage } from "./support/factories.ts";
import { begunUpload, rowOf } from "./support/files.ts";
import { makeMp3 } from "./support/mp3.ts";
import { deliverAll } from "./support/outbox.ts";

const HOUR = 3_600_000;
const later = (hours: number) => jobContext({ now: new Date(Date.now() + hours * HOUR) });

/** R2 that refuses every deletion. */
const noDeletion = new Proxy(env.MEDIA, {
  get(bucket, name) {
    if (name === "delete") return () => Promise.reject(new Error("R2 is away"));
    if (name === "resumeMultipartUpload")
      return () => ({ abort: () => Promise.reject(new Error("R2 is away")) });
    return Reflect.get(bucket, name).bind(bucket);
  },
});
/** As with "Delete for good". */
const deleteForGood = async (ctx: Context, id: string) => {
  await deleteFile(ctx, id, fileReferences);
  await eraseItem(ctx, `file:${id}`);
};

const whileR2Refuses = (ctx: Context): Context => ({ ...ctx, media: noDeletion });

const status = async (key: string) => {
  const response = await fetchSite(`/media/${key}`);
  await response.body?.cancel();
  return response.status;
};
const isInBin = async (id: string) =>
  (await jobContext().db.select().from(binnedFiles).where(eq(binnedFiles.id, id))).length > 0;
const exists = async (key: string) => (await env.MEDIA.head(key)) !== null;

describe("a file that R2 did not delete at first", () => {
  test("is no longer public, and is deleted by the next attempt", async () => {
    const { id, key } = await storedAudio();
    expect(await status(key)).toBe(200);
    await deleteForGood(whileR2Refuses(ownerContext()), id);
    expect(await exists(key)).toBe(true);
    expect(await status(key)).toBe(404);
    expect((await fetchSite(`/media/${key}`, { headers: { "If-None-Match": "*" } })).status).toBe(404);
    await deliverAll(later(1));
    expect(await exists(key)).toBe(false);
  });

  test("loses its smaller copies and its copy for emails with it", async () => {
    const copies = {
      variants: [320],
      avifVariants: [320],
      mailCopy: { width: 1200, format: "jpeg" as const },
    };
    const { id, key } = await storedImage(copies);
    const folder = `podcast-images/${id}`;
    const keys = [
      key,
      `${folder}/320/picture.webp`,
      `${folder}/320/picture.avif`,
      `${folder}/1200/picture.jpg`,
    ];
    for (const each of keys) await env.MEDIA.put(each, "x");
    await deleteForGood(whileR2Refuses(ownerContext()), id);
    expect(await Promise.all(keys.map(status))).toEqual([404, 404, 404, 404]);
    await deliverAll(later(1));
    expect(await Promise.all(keys.map(exists))).toEqual([false, false, false, false]);
  });

  test("is deleted after the daily sweep", async () => {
    const { id, key } = await storedAudio({ unusedAt: new Date(Date.now() - 30 * HOUR) });
    await sweepFiles(whileR2Refuses(jobContext()), fileReferences);
    expect(await rowOf(jobContext(), id)).toBeUndefined();
    expect(await status(key)).toBe(404);
    await deliverAll(later(1));
    expect(await exists(key)).toBe(false);
  });

  test("is deleted by the sweep of the outbox if the request was killed", async () => {
    const { id, key } = await storedAudio();
    const killed = new Proxy(env.MEDIA, {
      get: (bucket, name) =>
        name === "delete" ? () => new Promise(() => undefined) : Reflect.get(bucket, name).bind(bucket),
    });
    await deleteFile(ownerContext(), id, fileReferences);
    void eraseItem({ ...ownerContext(), media: killed }, `file:${id}`);
    await expect.poll(() => isInBin(id)).toBe(false);
    await deliverAll(later(1));
    expect(await exists(key)).toBe(false);
  });

  test("stays if an import has brought it back under the same id", async () => {
    const { id, key, ...row } = await storedAudio();
    await deleteForGood(whileR2Refuses(ownerContext()), id);
    await storedAudio({ id, key, ...row });
    await deliverAll(later(1));
    expect(await status(key)).toBe(200);
  });
});

test("a file in the bin is not public, keeps its objects, and is public once it is restored", async () => {
  const { id, key } = await storedAudio();
  await deleteFile(ownerContext(), id, fileReferences);
  await deliverAll(later(1));
  expect(await status(key)).toBe(404);
  expect(await exists(key)).toBe(true);
  await restoreItem(ownerContext(), `file:${id}`);
  expect(await status(key)).toBe(200);
});

test("an upload that R2 did not abort at first is aborted by the next attempt", async () => {
  const { id, key, uploadId } = await begunUpload(ownerContext());
  await deleteFile(whileR2Refuses(ownerContext()), id, fileReferences);
  const part = () => env.MEDIA.resumeMultipartUpload(key, uploadId!).uploadPart(2, "late");
  await expect(part()).resolves.toBeDefined();
  await deliverAll(later(1));
  await expect(part()).rejects.toThrow("does not exist");
});

test("copies of a picture whose file was deleted after some were made are deleted", async () => {
  const { id, key } = await storedImage();
  const copy = `podcast-images/${id}/160/picture.webp`;
  await env.MEDIA.put(copy, "made by an earlier run");
  await deleteForGood(ownerContext(), id);
  expect(await exists(key)).toBe(false);
  await makeVariants(
    jobContext(),
    { fileId: id, made: 1 },
    { references: fileReferences, places: filePlaces },
  );
  expect(await exists(copy)).toBe(false);
});

test("the hash of a deleted object, whose key contains its file’s name, is deleted", async () => {
  const { id, key } = await storedAudio();
  const { size: bytes } = (await env.MEDIA.head(key))!;
  const hashes = () => jobContext().db.select().from(objectHashes).where(eq(objectHashes.key, key));
  await compareObject(jobContext(), { key, bytes, sha256: "0" });
  expect(await hashes()).toHaveLength(1);
  await deleteForGood(ownerContext(), id);
  expect(await hashes()).toEqual([]);
});

test("a first part that another request has sent is continued, although R2 does not abort its object", async () => {
  const bytes = makeMp3({ seconds: 1 });
  const size = 2 * bytes.length;
  const { id } = await createUpload(ownerContext(), {
    name: "a.mp3",
    type: "",
    folder: "podcast-audio",
    size,
  });
  const before = (await rowOf(jobContext(), id))!;
  const opened = await openObject(ownerContext(), before, bytes);
  const refusing = new Proxy(env.MEDIA, {
    get: (bucket, name) =>
      name === "createMultipartUpload"
        ? () => Promise.resolve({ uploadId: "another", abort: () => Promise.reject(new Error("R2 is away")) })
        : Reflect.get(bucket, name).bind(bucket),
  });
  const found = await openObject({ ...ownerContext(), media: refusing }, before, bytes);
  expect(found).toMatchObject({ key: opened.key, uploadId: opened.uploadId });
});

test("an object is recorded once, by the batch that deletes its file", async () => {
  const { id, key } = await storedAudio();
  await deleteForGood(whileR2Refuses(ownerContext()), id);
  const open = and(eq(outbox.topic, OBJECTS_TOPIC), isNull(outbox.doneAt));
  const rows = await jobContext().db.select().from(outbox).where(open);
  expect(rows.filter(({ payload }) => JSON.stringify(payload).includes(key))).toMatchObject([
    { attempts: 1 },
  ]);
  await deliverAll(later(1));
});

describe("a file is served", () => {
  const served = async (ctx: Context, key: string) => {
    const app = router().use(async (c, next) => {
      c.set("ctx", ctx);
      await next();
    });
    app.route("/media", media);
    app.onError(answerError);
    const response = await app.request(`/media/${key}`);
    await response.body?.cancel();
    return response.status;
  };

  test("although the replica does not have its row yet", async () => {
    const { key } = await storedImage();
    const ctx = visitorContext();
    const isolated = ctx.db;
    const behind = new Proxy(isolated, {
      get(db, name) {
        if (name !== "$client") return Reflect.get(db, name);
        // Of the first question alone: whether the file is deleted.
        const prepare = (query: string) => ({
          bind: () => ({ raw: async () => (query.startsWith("select one from") ? [[1]] : []) }),
        });
        return { prepare };
      },
    });
    expect(await served({ ...ctx, db: behind }, key)).toBe(200);
    await ctx.db.delete(files).where(eq(files.key, key));
    expect(await served({ ...ctx, db: behind }, key)).toBe(404);
  });

  test("while D1 does not answer", async () => {
    const { key } = await storedImage();
    const ctx = visitorContext();
    const away = () => ({ bind: () => ({ raw: async () => Promise.reject(new Error("D1 is away")) }) });
    const db = new Proxy(ctx.db, {
      get: (target, name) => (name === "$client" ? { prepare: away } : Reflect.get(target, name)),
    });
    expect(await served({ ...ctx, db }, key)).toBe(200);
  });
});
