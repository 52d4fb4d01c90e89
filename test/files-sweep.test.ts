import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { sweepFiles } from "#worker/files/library/sweep.ts";
import { fileParts, files } from "#worker/files/table.ts";
import { insertImport } from "#worker/imports/items.ts";
import { imports } from "#worker/imports/table.ts";
import { RESTORE } from "#worker/restores/contract.ts";
import { markHalfRestored } from "#worker/restores/staging.ts";
import { completeUpload, createUpload, uploadPart } from "#worker/files/commands.ts";
import { jobContext, ownerContext } from "./support/client.ts";
import { storedAudio } from "./support/factories.ts";
import { makeMp3, makePng } from "./support/mp3.ts";
import { deliverAll } from "./support/outbox.ts";
import { bodyOf, partOf, uploadFile } from "./support/upload.ts";
import {
  MB,
  references,
  use,
  users,
  rowOf,
  mp3OfSize,
  begunUpload,
  bucketThatKeepsOpen,
} from "./support/files.ts";

/** The first migration, which says how old the database is. */
const setFirstMigration = (appliedAt: Date) =>
  env.DB.prepare("update d1_migrations set applied_at = datetime(?, 'unixepoch')")
    .bind(Math.floor(appliedAt.getTime() / 1000))
    .run();

beforeAll(async () => {
  await env.DB.exec("create table test_users_of_files (a text, i text)");
  await setFirstMigration(new Date("2026-01-01T00:00:00Z"));
});

/** Statements of the daily run that are not the sweep's. */
const DAILY_PRUNING = 11;

describe("the daily sweep", () => {
  const hours = (count: number) => new Date(Date.now() + count * 60 * 60 * 1000);
  const tomorrow = () => jobContext({ now: hours(25) });
  const inDays = (count: number) => jobContext({ now: hours(24 * count) });
  const exists = async (url: string) => (await env.MEDIA.head(url.replace("/media/", ""))) !== null;

  const isOpen = ({ key, uploadId }: { key: string; uploadId: string | null }) =>
    env.MEDIA.resumeMultipartUpload(key, uploadId!)
      .uploadPart(9, "late")
      .then(
        () => true,
        (error: unknown) => {
          if (String(error).includes("does not exist")) return false;
          throw error;
        },
      );
  afterEach(() => vi.restoreAllMocks());

  test("an upload idle for a day is deleted, with its parts in R2", async () => {
    const row = await begunUpload(ownerContext());
    await sweepFiles(jobContext({ now: hours(23) }), references);
    expect(await rowOf(jobContext(), row.id)).toBeDefined();
    await sweepFiles(tomorrow(), references);
    expect(await rowOf(jobContext(), row.id)).toBeUndefined();
    expect(await isOpen(row)).toBe(false);
  });

  test("an old upload is kept while parts arrive", async () => {
    const bytes = mp3OfSize(9 * MB);
    const file = { name: "a.mp3", type: "", folder: "podcast-audio" as const, size: bytes.length };
    const upload = await createUpload(ownerContext({ now: hours(-60) }), file);
    const send = (number: number, now: Date) =>
      uploadPart(ownerContext({ now }), {
        id: upload.id,
        number,
        body: bodyOf(partOf(bytes, upload, number)),
      });
    await send(1, hours(-30));
    await send(2, hours(-2));
    await sweepFiles(jobContext(), references);
    expect(await completeUpload(ownerContext(), upload.id)).toMatchObject({ size: bytes.length });
  });

  test("an upload without a first part is deleted after a day", async () => {
    const file = { name: "a.mp3", type: "", folder: "podcast-audio" as const, size: 10 };
    const { id } = await createUpload(ownerContext(), file);
    await sweepFiles(jobContext({ now: hours(23) }), references);
    expect(await rowOf(jobContext(), id)).toBeDefined();
    await sweepFiles(tomorrow(), references);
    expect(await rowOf(jobContext(), id)).toBeUndefined();
  });

  test("an upload that R2 will not end is ended by the outbox and does not keep the others", async () => {
    const ctx = ownerContext();
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const [before, stuck, after] = [await begunUpload(ctx), await begunUpload(ctx), await begunUpload(ctx)];
    await sweepFiles({ ...tomorrow(), media: bucketThatKeepsOpen(stuck.key) }, references);
    expect(await Promise.all([before, stuck, after].map(isOpen))).toEqual([false, true, false]);
    const left = await Promise.all([before, stuck, after].map(({ id }) => rowOf(ctx, id)));
    expect(left).toEqual([undefined, undefined, undefined]);
    expect(logged).toHaveBeenCalledOnce();

    await deliverAll(jobContext({ now: hours(26) }));
    expect(await isOpen(stuck)).toBe(false);
  });

  test("an upload that was aborted or joined in R2 before keeps no row and no object", async () => {
    const ctx = ownerContext();
    const [aborted, joined] = [await begunUpload(ctx), await begunUpload(ctx)];
    await env.MEDIA.resumeMultipartUpload(aborted.key, aborted.uploadId!).abort();
    const parts = await ctx.db.select().from(fileParts).where(eq(fileParts.fileId, joined.id));
    await env.MEDIA.resumeMultipartUpload(joined.key, joined.uploadId!).complete(
      parts.map(({ number, etag }) => ({ partNumber: number, etag })),
    );
    await sweepFiles(tomorrow(), references);
    expect(await rowOf(ctx, aborted.id)).toBeUndefined();
    expect(await rowOf(ctx, joined.id)).toBeUndefined();
    expect(await exists(`/media/${joined.key}`)).toBe(false);
  });

  /** As many old orphans as one may ask for. */
  const fullBucket = async ({ limit = 1000 }: R2ListOptions) => ({
    objects: Array.from({ length: limit }, (_, n) => ({ key: `uploads/full/${n}`, uploaded: hours(-720) })),
    truncated: true,
  });

  test("a run stays within the limits of the Free plan, and the next one continues", async () => {
    const ctx = jobContext();
    const ids: string[] = [];
    for (let n = 0; n < 30; n++) {
      const id = crypto.randomUUID();
      const key = `podcast-audio/${id}/a.mp3`;
      const { uploadId } = await env.MEDIA.createMultipartUpload(key);
      await storedAudio({ id, key, status: "uploading", completedAt: null, uploadId, lastPartAt: ctx.now });
      ids.push(id);
    }
    const count = async () => (await Promise.all(ids.map((id) => rowOf(ctx, id)))).filter(Boolean).length;

    const run = tomorrow();
    let asked = 0;
    const counted = <B extends object>(binding: B, replaced: object = {}) =>
      new Proxy<B>(binding, {
        get(target: object, name: string) {
          asked++;
          return Reflect.get(replaced, name) ?? Reflect.get(target, name).bind(target);
        },
      });
    const media = counted(run.media, { list: fullBucket });
    const kv = counted(run.kv);
    await sweepFiles({ ...run, media, kv }, references);
    expect(asked + run.d1.statements + DAILY_PRUNING).toBeLessThanOrEqual(50);
    expect(await count()).toBe(15);
    await sweepFiles(tomorrow(), references);
    expect(await count()).toBe(0);
  });

  const aRestore = async () =>
    (await insertImport(ownerContext(), { kind: RESTORE, source: "a.zip" }))[0]!.id;

  /** What a daily run so many hours from now finds. */
  const sweepIn = (count: number) => sweepFiles(jobContext({ now: hours(count) }), references);

  test("an unused file is deleted after a day; one in use is kept, with the picture found in it", async () => {
    const ctx = ownerContext();
    const mp3 = makeMp3({ seconds: 1, tag: { picture: { type: "image/png", bytes: makePng(5, 5) } } });
    const used = await uploadFile(ctx, mp3, { name: "used.mp3", folder: "podcast-audio" });
    const free = await uploadFile(ctx, makePng(5, 5), { name: "free.png", folder: "podcast-images" });
    const shown = await uploadFile(ctx, makePng(5, 5), { name: "shown.png", folder: "podcast-images" });
    await use(ctx, { audioFileId: used.id, imageFileId: shown.id });
    await sweepIn(0);
    await sweepIn(23);
    expect(await exists(free.url)).toBe(true);
    await sweepIn(25);
    const left = [used.url, used.artwork!.url, shown.url, free.url].map(exists);
    expect(await Promise.all(left)).toEqual([true, true, true, false]);
    expect(await rowOf(ctx, free.id)).toBeUndefined();
  });

  test("an old file is deleted a day after its last use", async () => {
    const ctx = ownerContext();
    const recording = await storedAudio({ completedAt: hours(-99) });
    await use(ctx, { audioFileId: recording.id });
    await sweepIn(0);
    await ctx.db.delete(users).where(eq(users.audioFileId, recording.id));
    await sweepIn(24);
    expect(await rowOf(ctx, recording.id)).toMatchObject({ unusedAt: expect.any(Date) });
    await sweepIn(48);
    expect(await rowOf(ctx, recording.id)).toBeUndefined();
  });

  test("a file that is used or kept again is not deleted, and gets another day when that ends", async () => {
    const ctx = ownerContext();
    const [used, kept] = [await storedAudio(), await storedAudio()];
    await sweepIn(0);
    await use(ctx, { audioFileId: used.id });
    await ctx.db.update(files).set({ keptAt: ctx.now }).where(eq(files.id, kept.id));
    await sweepIn(24);
    const left = () => Promise.all([used, kept].map(({ id }) => rowOf(ctx, id)));
    expect((await left()).map((row) => row?.unusedAt)).toEqual([null, null]);
    await ctx.db.delete(users).where(eq(users.audioFileId, used.id));
    await ctx.db.update(files).set({ keptAt: null }).where(eq(files.id, kept.id));
    await sweepIn(48);
    expect((await left()).filter(Boolean)).toHaveLength(2);
    await sweepIn(72);
    expect((await left()).filter(Boolean)).toHaveLength(0);
  });

  test("the picture found in a file is deleted two days after it, unless an item uses it", async () => {
    const ctx = ownerContext();
    const tag = { picture: { type: "image/png", bytes: makePng(5, 5) } };
    const mp3 = makeMp3({ seconds: 1, tag });
    const plain = await uploadFile(ctx, mp3, { name: "plain.mp3", folder: "podcast-audio" });
    const shown = await uploadFile(ctx, mp3, { name: "shown.mp3", folder: "podcast-audio" });
    await use(ctx, { imageFileId: shown.artwork!.id });
    const left = () =>
      Promise.all([plain.url, plain.artwork!.url, shown.url, shown.artwork!.url].map(exists));
    await sweepIn(0);
    await sweepIn(24);
    expect(await left()).toEqual([false, true, false, true]);
    await sweepIn(48);
    await sweepIn(72);
    expect(await left()).toEqual([false, false, false, true]);
    expect(await rowOf(ctx, plain.artwork!.id)).toBeUndefined();
  });

  test("an object without a row is deleted after 30 days; objects in other folders are kept", async () => {
    await env.MEDIA.put("uploads/stray/a.txt", "left by a crash");
    await env.MEDIA.put("exports/a.zip", "somebody else's");
    await sweepFiles(inDays(29), references);
    expect(await exists("/media/uploads/stray/a.txt")).toBe(true);
    await sweepFiles(inDays(31), references);
    expect(await exists("/media/uploads/stray/a.txt")).toBe(false);
    expect(await exists("/media/exports/a.zip")).toBe(true);
  });

  test("an object without a row is also deleted while KV fails to say where the last run ended", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    await env.MEDIA.put("uploads/stray/b.txt", "left by a crash");
    const ctx = inDays(31);
    const kv = new Proxy(ctx.kv, {
      get: (target, name) =>
        name === "get"
          ? () => Promise.reject(new Error("KV is away"))
          : Reflect.get(target, name).bind(target),
    });
    await sweepFiles({ ...ctx, kv }, references);
    expect(await exists("/media/uploads/stray/b.txt")).toBe(false);
    expect(logged).toHaveBeenCalledOnce();
  });

  test("a large bucket is scanned over several runs", async () => {
    const ctx = inDays(31);
    await Promise.all(Array.from({ length: 5 }, (_, n) => env.MEDIA.put(`uploads/long/${n}.txt`, "stray")));
    const list = (options: R2ListOptions) =>
      env.MEDIA.list({ ...options, limit: 2, prefix: "uploads/long/" });
    const media = new Proxy(env.MEDIA, {
      get: (bucket, name) => (name === "list" ? list : Reflect.get(bucket, name).bind(bucket)),
    });
    const left = async () => (await env.MEDIA.list({ prefix: "uploads/long/" })).objects.length;
    const counts = [];
    for (let run = 0; run < 3; run++) {
      await sweepFiles({ ...ctx, media }, references);
      counts.push(await left());
    }
    expect(counts).toEqual([3, 1, 0]);
  });

  test("an object without a row is kept for the first 30 days of a database", async () => {
    await env.MEDIA.put("uploads/stray/older.txt", "of the lost database");
    const isKept = () => exists("/media/uploads/stray/older.txt");
    await setFirstMigration(hours(24 * 10));
    await sweepFiles(inDays(39), references);
    expect(await isKept()).toBe(true);
    await sweepFiles(inDays(41), references);
    expect(await isKept()).toBe(false);
    await setFirstMigration(new Date("2026-01-01T00:00:00Z"));
  });

  test("neither unused files nor objects without a row are deleted for 30 days after a restore was cancelled", async () => {
    const key = "uploads/stray/half.txt";
    await env.MEDIA.put(key, "of a row that was not restored");
    const unused = await storedAudio();
    await sweepIn(0);
    await markHalfRestored(jobContext());
    await sweepFiles(inDays(29), references);
    expect(await exists(`/media/${key}`)).toBe(true);
    expect(await rowOf(jobContext(), unused.id)).toBeDefined();
    await sweepFiles(inDays(31), references);
    expect(await exists(`/media/${key}`)).toBe(false);
    expect(await rowOf(jobContext(), unused.id)).toBeUndefined();
    await env.MEDIA.delete("restoring/half");
  });

  test.each(["open", "running", "paused"] as const)(
    "neither unused files nor objects without a row are deleted while a restore is %s",
    async (state) => {
      const ctx = ownerContext();
      const key = `uploads/stray/${state}.txt`;
      await env.MEDIA.put(key, "of a row that is not restored yet");
      const unused = await storedAudio();
      await sweepIn(0);
      const restore = await aRestore();
      await ctx.db.update(imports).set({ state }).where(eq(imports.id, restore));
      const later = await storedAudio();
      for (const day of [31, 32, 33]) await sweepFiles(inDays(day), references);
      expect(await exists(`/media/${key}`)).toBe(true);
      expect(await rowOf(ctx, unused.id)).toBeDefined();
      expect(await rowOf(ctx, later.id)).toMatchObject({ unusedAt: null });

      await ctx.db.update(imports).set({ state: "done" }).where(eq(imports.id, restore));
      await sweepFiles(inDays(34), references);
      expect(await exists(`/media/${key}`)).toBe(false);
      expect(await rowOf(ctx, unused.id)).toBeUndefined();
      expect(await rowOf(ctx, later.id)).toMatchObject({ unusedAt: expect.any(Date) });
    },
  );
});
