import { createExecutionContext, createMessageBatch, createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createArticle } from "#worker/articles/commands.ts";
import { BACKUPS_PASS, beginNightlyCopy, continueBackups, copyNow } from "#worker/backups/commands.ts";
import type { CopyReport } from "#worker/backups/contract.ts";
import { sqlText, statementsOf } from "#worker/backups/copy-database.ts";
import { fileHash, FILE_PIECE, sha256 } from "#worker/backups/digests.ts";
import { deleteOld, retained } from "#worker/backups/retention.ts";
import { beginStatement, hasDueRun } from "#worker/backups/runs.ts";
import {
  copiesAmong,
  copyName,
  listCopyObjects,
  listObjects,
  numberOf,
  partKey,
  type Stored,
} from "#worker/backups/store.ts";
import { backupFiles, backupRuns } from "#worker/backups/table.ts";
import { consume, tick } from "#worker/jobs.ts";
import type { JobMessage } from "#worker/platform/context.ts";
import {
  afterLapse,
  newestCopy,
  newestRun,
  nextTick,
  someBytes,
  timedBucket,
  workThroughRun,
} from "./support/backups.ts";
import { jobContext, ownerContext } from "./support/client.ts";
import { publishedEpisode, savedShow, storedImage, unique } from "./support/factories.ts";
import { killedAfter } from "./support/killed.ts";
import { fullTest } from "./support/sweeps.ts";

const { db } = jobContext();
const BIG = 2 * FILE_PIECE + 1000;
const bigKey = "podcast-audio/big/talk.mp3";

beforeAll(async () => {
  // Before the podcast has been described.
  await copyNow(nextTick());
  expect(await workThroughRun()).toMatchObject({ state: "done", problem: null });
  expect((await newestCopy()).manifest.feed).toBeNull();
  const picture = await storedImage();
  await savedShow({ artworkFileId: picture.id });
  await publishedEpisode({
    title: "Wombats; and 'quotes'",
    transcript: "WEBVTT\n\n00:00.000 --> 00:02.000\nHi.",
  });
  await createArticle(ownerContext(), {
    title: "Heat",
    content: "A\n\nlong ;\nINSERT INTO text",
    status: "published",
  });
  await env.MEDIA.put(bigKey, someBytes(BIG));
  await env.MEDIA.put("rendered/about", "A page that may be rendered again.");
});

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));

const onFreePlan = { config: { ...jobContext().config, plan: "free" as const } };

/** What exists in the folders of copies and files is neither deleted nor overwritten. */
const lockedBucket = new Proxy(env.BACKUP, {
  get(target, name) {
    const value: unknown = Reflect.get(target, name);
    if (typeof value !== "function") return value;
    const method = (value as (...args: unknown[]) => unknown).bind(target);
    if (name !== "put" && name !== "createMultipartUpload" && name !== "delete") return method;
    return async (keys: string | string[], ...rest: unknown[]) => {
      for (const key of [keys].flat())
        if (!key.startsWith("work/") && (await target.head(key))) throw new Error("The object is locked.");
      return method(keys, ...rest);
    };
  },
});

/** Counts the files that are stored in the bucket of copies. */
function countPuts() {
  const keys: string[] = [];
  const record = (key: string) => void (key.startsWith("files/") && keys.push(key));
  const backup = new Proxy(env.BACKUP, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: [string, ...unknown[]]) => {
        if (name === "put" || name === "createMultipartUpload") record(args[0]);
        return (value as (...given: unknown[]) => unknown).apply(target, args);
      };
    },
  });
  return { backup, keys };
}

async function madeCopy(options = {}) {
  await copyNow(nextTick(1, options));
  const run = await workThroughRun(options);
  expect(run.problem).toBeNull();
  expect(run.state).toBe("done");
  return { run, ...(await newestCopy()) };
}

describe("a copy", () => {
  it("has the whole database, every file, and a manifest of both", async () => {
    const { run, manifest, sql: text, files } = await madeCopy();
    const { database, feed } = manifest;
    expect(database.pieces.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(
      new TextEncoder().encode(text).length,
    );
    const statements = statementsOf(text);
    expect(sqlText(statements)).toBe(text);
    const rows = Object.fromEntries(database.tables.map(({ name, rows: count }) => [name, count]));
    for (const table of ["episodes", "articles", "files", "shows"]) {
      const [row] = await db.all<{ count: number }>(
        sql`select count(*) as count from ${sql.identifier(table)}`,
      );
      expect(rows[table]).toBe(row!.count);
      expect(statements.filter((each) => each.startsWith(`INSERT INTO "${table}" `))).toHaveLength(
        row!.count,
      );
    }
    expect(feed?.bytes).toBeGreaterThan(500);
    const media = (await env.MEDIA.list()).objects.filter(({ key }) => !key.startsWith("rendered/"));
    expect(files.map(({ key, bytes }) => [key, bytes])).toEqual(media.map(({ key, size }) => [key, size]));
    expect(run.position as CopyReport).toMatchObject({ files: media.length, tables: database.tables.length });
    for (const { key, sha256: hash } of files.filter(({ bytes }) => bytes <= FILE_PIECE))
      expect(await sha256(await (await env.BACKUP.get(`files/${key}`))!.bytes())).toBe(hash);
  });

  it("has a large file in pieces, whose hash is that of its pieces", async () => {
    const { files } = await newestCopy();
    const stored = await (await env.BACKUP.get(`files/${bigKey}`))!.bytes();
    expect(await sha256(stored)).toBe(await sha256(someBytes(BIG)));
    const pieces = [0, 1, 2].map((n) => sha256(stored.slice(n * FILE_PIECE, (n + 1) * FILE_PIECE)));
    const expected = await fileHash(await Promise.all(pieces));
    expect(expected).toMatch(/^[0-9a-f]{64}-3$/);
    expect(files.find(({ key }) => key === bigKey)).toMatchObject({ bytes: BIG, sha256: expected });
  });

  it("stores only the files that are new since the last one", async () => {
    const key = `uploads/${unique()}/new.pdf`;
    await env.MEDIA.put(key, "new");
    const { backup, keys } = countPuts();
    const { files } = await madeCopy({ backup });
    expect(keys).toEqual([`files/${key}`]);
    expect(files.map((file) => file.key)).toContain(key);
  });

  it("takes over files that the bucket has and the database does not know, as after a restore", async () => {
    const before = (await newestCopy()).files;
    await db.delete(backupFiles);
    const { backup, keys } = countPuts();
    const { files } = await madeCopy({ backup });
    expect(keys).toEqual([]);
    expect(files).toEqual(before);
    expect(await db.$count(backupFiles, sql`first_copy > 0`)).toBe(0);
  });

  it("is made in small steps on the free plan, of at most 50 statements each", async () => {
    await env.MEDIA.put("podcast-audio/second/talk.mp3", someBytes(BIG, 2));
    await copyNow(nextTick());
    let steps = 0;
    for (; (await newestRun()).state !== "done"; steps++) {
      const ctx = nextTick(1, onFreePlan);
      await continueBackups(ctx);
      expect(ctx.d1.statements).toBeLessThanOrEqual(50);
      expect(steps).toBeLessThan(200);
    }
    expect(steps).toBeGreaterThan(15);
    expect((await env.BACKUP.head("files/podcast-audio/second/talk.mp3"))!.size).toBe(BIG);
  });

  it("continues after it was interrupted at any statement, and has everything once", async () => {
    await env.MEDIA.put(`podcast-audio/third-${unique()}/talk.mp3`, someBytes(BIG, 3));
    await copyNow(nextTick());
    let interruptions = 0;
    for (let after = 1; (await newestRun()).state !== "done"; after++) {
      // Two of three consumers are gone after some statement.
      const statements = after % 3 === 0 ? Infinity : 1 + ((after * 7) % 13);
      if (await killedAfter(statements, afterLapse(onFreePlan), continueBackups)) interruptions++;
      expect(after).toBeLessThan(1500);
      if ((await newestRun()).state === "failed") throw new Error((await newestRun()).problem!);
    }
    expect(interruptions).toBeGreaterThan(3);
    const { sql: text, manifest, files } = await newestCopy();
    expect(new Set(files.map(({ key }) => key)).size).toBe(files.length);
    expect(manifest.files.count).toBe(files.length);
    const inserts = statementsOf(text).filter((each) => each.startsWith("INSERT INTO "));
    expect(new Set(inserts).size).toBe(inserts.length);
  });

  it("is made under a bucket lock, also if every step is repeated", async () => {
    await env.MEDIA.put(`podcast-audio/fourth-${unique()}/talk.mp3`, someBytes(BIG, 4));
    await env.MEDIA.put(`uploads/${unique()}/small.pdf`, "small");
    await copyNow(nextTick());
    for (let steps = 0; (await newestRun()).state !== "done"; steps++) {
      const run = await newestRun();
      await continueBackups(nextTick(20, { ...onFreePlan, backup: lockedBucket }));
      expect((await newestRun()).problem).toBeNull();
      if (steps % 2 === 0 && run.stage !== "retain")
        await db
          .update(backupRuns)
          .set({ stage: run.stage, position: run.position, state: "waiting" })
          .where(eq(backupRuns.id, run.id));
      expect(steps).toBeLessThan(400);
    }
    const { manifest, files } = await newestCopy();
    expect(manifest.files.count).toBe(files.length);
  });

  it("leaves no loose pieces", async () => {
    expect((await env.BACKUP.list({ prefix: "work/" })).objects).toEqual([]);
  });

  it("is made once by two ticks side by side", async () => {
    const before = copiesAmong(await listCopyObjects(env.BACKUP)).length;
    const ctx = nextTick(24 * 60);
    await Promise.all([beginNightlyCopy(ctx), beginNightlyCopy(ctx)]);
    for (let ticks = 0; (await newestRun()).state !== "done"; ticks++) {
      const next = nextTick();
      await Promise.all([continueBackups(next), continueBackups(next), continueBackups(next)]);
      expect(ticks).toBeLessThan(50);
    }
    await beginNightlyCopy(nextTick());
    expect(await hasDueRun(nextTick())).toBe(false);
    expect(copiesAmong(await listCopyObjects(env.BACKUP))).toHaveLength(before + 1);
  });

  it("is made every night again after a clock was years ahead", async () => {
    await beginNightlyCopy(jobContext({ now: new Date("2031-01-01T03:17:00Z") }));
    await workThroughRun({
      now: new Date("2031-01-01T03:18:00Z"),
      clock: () => new Date("2031-01-01T03:18:00Z"),
    });
    const before = await db.$count(backupRuns);
    await beginNightlyCopy(nextTick(24 * 60));
    expect(await db.$count(backupRuns)).toBe(before + 1);
    expect((await workThroughRun()).state).toBe("done");
    const numbers = copiesAmong(await listCopyObjects(env.BACKUP)).map(({ number }) => number);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numberOf((await newestRun()).copy!)).toBe(Math.max(...numbers));
  });

  it("fails if a byte of it is not the one that was written", async () => {
    const before = copiesAmong(await listCopyObjects(env.BACKUP)).length;
    await copyNow(nextTick());
    while ((await newestRun()).stage !== "check") await continueBackups(nextTick(20, onFreePlan));
    const key = partKey((await newestRun()).copy!, "database.sql");
    const bytes = await (await env.BACKUP.get(key))!.bytes();
    bytes[bytes.length >> 1]! ^= 1;
    await env.BACKUP.put(key, bytes);
    const run = await workThroughRun();
    expect(run).toMatchObject({ state: "failed", problem: expect.stringMatching(/has changed/) });
    expect(copiesAmong(await listCopyObjects(env.BACKUP))).toHaveLength(before);
  });

  it.each([
    ["a small file", 4],
    ["a large file", FILE_PIECE + 7],
  ])(
    "fails if %s is missing or changed in the bucket, and the next copy stores it again",
    async (_which, size) => {
      const key = `uploads/${unique()}/lost.pdf`;
      await env.MEDIA.put(key, someBytes(size));
      const { manifest } = await madeCopy();
      for (const [damage, problem] of [
        [() => env.BACKUP.delete(`files/${key}`), "is missing in the bucket of copies."],
        [
          () => env.BACKUP.put(`files/${key}`, someBytes(size, 9)),
          "in the bucket of copies is not the one that was copied.",
        ],
      ] as const) {
        await damage();
        await copyNow(nextTick());
        expect(await workThroughRun()).toMatchObject({
          state: "failed",
          problem: `The file ${key} ${problem}`,
        });
        await madeCopy(onFreePlan);
        expect(await (await env.BACKUP.get(`files/${key}`))!.bytes()).toEqual(someBytes(size));
      }
      // Older copies name it, too.
      const [row] = await db.select().from(backupFiles).where(eq(backupFiles.key, key));
      expect(row!.firstCopy).toBe(manifest.number);
      await env.MEDIA.delete(key);
    },
  );

  it("begins by deleting the pieces of copies that failed days ago", async () => {
    await env.BACKUP.put("work/failed/piece", "piece");
    await copyNow(nextTick());
    await continueBackups(nextTick(4 * 24 * 60, onFreePlan));
    expect((await newestRun()).stage).toBe("files");
    expect(await env.BACKUP.head("work/failed/piece")).toBeNull();
    await db.delete(backupRuns).where(eq(backupRuns.id, (await newestRun()).id));
  });

  it("is begun by the daily cron and continued by the minute's", async () => {
    const scheduledTime = new Date(Date.now() + 400 * 86_400_000);
    await tick(
      createScheduledController({ cron: "17 3 * * *", scheduledTime }),
      env,
      createExecutionContext(),
    );
    // The drill of the week begins beside it.
    const begun = await db.select().from(backupRuns).where(eq(backupRuns.startedAt, scheduledTime));
    expect(begun.map(({ kind, state }) => [kind, state])).toEqual([
      ["copy", "waiting"],
      ["drill", "waiting"],
    ]);
    await db.delete(backupRuns).where(sql`state = 'waiting'`);
  });

  it("continues in one message after another on the free plan, until it is complete", async () => {
    const sent: JobMessage[] = [];
    const sendBatch = async (messages: MessageSendRequest<JobMessage>[]) =>
      void sent.push(...messages.map(({ body }) => body));
    const freeEnv = { ...env, PLAN: "free", JOBS: { sendBatch } } as unknown as Env;
    const minute = createScheduledController({ cron: "* * * * *", scheduledTime: new Date() });
    await beginStatement(jobContext(), "copy");
    for (let ticks = 0; (await newestRun()).state !== "done"; ticks++) {
      await tick(minute, freeEnv, createExecutionContext());
      let messages = 0;
      for (let body = sent.shift(); body; body = sent.shift()) {
        if (body.id !== BACKUPS_PASS) continue;
        const message = { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body };
        const batch = createMessageBatch<JobMessage>("rostrum-jobs", [message]);
        await consume(batch, freeEnv, createExecutionContext());
        messages++;
      }
      expect((await newestRun()).problem).toBeNull();
      // The chain of a tick ends after 50 seconds.
      expect(messages).toBeGreaterThan(3);
      expect(ticks).toBeLessThan(10);
    }
  });

  it("is not made without a bucket", async () => {
    const without = nextTick(24 * 60, { backup: undefined });
    const before = await db.$count(backupRuns);
    await beginNightlyCopy(without);
    expect(await continueBackups(without)).toBe(false);
    expect(await db.$count(backupRuns)).toBe(before);
    await expect(copyNow(without)).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("retention", () => {
  const DAY = 86_400_000;
  const day = (n: number) => new Date(Date.UTC(2026, 0, 1, 3, 20) + n * DAY);

  it("keeps 30 days, and of what is older 5 weeks and 12 months, over 14 months", () => {
    let copies: Stored[] = [];
    for (let n = 0; n < 425; n++) {
      copies.push({ name: `${n}`, number: n, uploaded: day(n) });
      const stay = retained(copies, day(n));
      const gone = copies.filter((copy) => !stay.includes(copy));
      for (const { uploaded } of gone)
        expect(day(n).getTime() - uploaded.getTime()).toBeGreaterThan(30 * DAY);
      copies = stay;
    }
    const ages = copies.map(({ number }) => 424 - number);
    expect(ages.filter((age) => age <= 30)).toHaveLength(31);
    const months = copies.map(({ uploaded }) => uploaded.toISOString().slice(0, 7));
    // 424 days after 1 January 2026 is 1 March 2027.
    expect(new Set(months).size).toBe(12);
    expect(months[0]).toBe("2026-04");
    expect(copies[0]!.uploaded.toISOString().slice(0, 10)).toBe("2026-04-30");
    expect(copies.length).toBeLessThan(45);
  });

  it("keeps all that it has if no more copies are made", () => {
    const copies = [0, 40, 80].map((n) => ({ name: `${n}`, number: n, uploaded: day(n) }));
    expect(retained(copies, day(2000))).toEqual(copies);
  });

  /** Each file is there from one day to another; on the same day, for a few hours between two copies. */
  type Stay = [key: string, from: number, to: number];

  /** Makes a copy on each of these days, by the bucket’s clock, and deletes old ones. Returns the days and files that remain. */
  async function copyDaily(days: number, stays: Stay[]) {
    await db.delete(backupFiles);
    for (let { objects } = await env.BACKUP.list(); objects.length > 0; { objects } = await env.BACKUP.list())
      await env.BACKUP.delete(objects.map(({ key }) => key));
    let today = day(0);
    const bucket = timedBucket(() => today);
    // The Worker's clock is years ahead.
    const ctx = jobContext({ backup: bucket, now: new Date("2040-01-01") });
    const numbered = (n: number) => n + 1;
    for (let n = 0; n < days; n++) {
      today = day(n);
      const here = stays.filter(([, from, to]) => n >= from && n < to).map(([key]) => key);
      for (const [key, from, to] of stays) {
        if (n === from) {
          await bucket.put(`files/${key}`, key);
          await db
            .insert(backupFiles)
            .values({ key, bytes: 1, sha256: "", etag: "", firstCopy: numbered(n), goneCopy: null });
        }
        if (n === to)
          await db
            .update(backupFiles)
            .set({ goneCopy: numbered(n) })
            .where(eq(backupFiles.key, key));
      }
      const name = copyName(numbered(n), today);
      await bucket.put(`copies/${name}/database.sql`, here.join());
      await bucket.put(`copies/${name}/manifest.json`, "{}");
      while (await deleteOld(ctx, await listCopyObjects(bucket), today));
      if (n % 10 !== 0) continue;
      const stored = await Array.fromAsync(listObjects(bucket, ""));
      const files = stored.filter(({ key }) => key.startsWith("files/")).map(({ key }) => key.slice(6));
      // Every file that a copy names is there.
      for (const { key } of stored.filter((object) => object.key.endsWith(".sql"))) {
        const named = (await (await env.BACKUP.get(key))!.text()).split(",").filter(Boolean);
        expect(files).toEqual(expect.arrayContaining(named));
      }
      // No copy is incomplete.
      expect(stored.filter(({ key }) => key.endsWith(".sql"))).toHaveLength(
        copiesAmong(await listCopyObjects(bucket)).length,
      );
    }
    const files = await Array.fromAsync(listObjects(bucket, "files/"));
    expect(await db.$count(backupFiles)).toBe(files.length);
    return {
      days: copiesAmong(await listCopyObjects(bucket)).map(({ number }) => number - 1),
      files: files.map(({ key }) => key.slice("files/".length)),
    };
  }

  it("deletes copies and files in the bucket by its own clock, and never what is younger than 30 days", async () => {
    const { days, files } = await copyDaily(65, [
      ["a-week", 8, 15],
      ["always", 0, 1000],
      ["end-of-january", 25, 31],
      ["in-february", 40, 41],
      ["not-at-all", 20, 20],
    ]);
    // The newest of January, and 31 that are 30 days old or younger.
    expect(days).toEqual([30, ...Array.from({ length: 31 }, (_, at) => 34 + at)]);
    expect(files).toEqual(["always", "end-of-january", "in-february"]);
  });

  fullTest("deletes copies and files over 14 months, and never what is younger than 30 days", async () => {
    const { days, files } = await copyDaily(425, [
      ["always", 0, 1000],
      ["a-month", 10, 40],
      ["a-day", 100, 101],
      ["two-months", 115, 180],
      ["not-at-all", 200, 200],
    ]);
    expect(days).toHaveLength(40);
    // Of the month's file no copy is left; of the others a month's.
    expect(files).toEqual(["always", "two-months"]);
  });

  it("keeps what the bucket refuses to delete, as under a lock, and the copy succeeds", async () => {
    const now = day(600);
    const locked = new Proxy(
      timedBucket(() => now),
      {
        get: (target, name) =>
          name === "delete"
            ? () => Promise.reject(new Error("The object is locked."))
            : Reflect.get(target, name),
      },
    );
    const objects = (await listCopyObjects(locked)).map((object) => ({ ...object, uploaded: day(0) }));
    const before = (await env.BACKUP.list()).objects.length;
    expect(await deleteOld(jobContext({ backup: locked }), objects, now)).toBe(false);
    expect((await env.BACKUP.list()).objects).toHaveLength(before);
  });
});
