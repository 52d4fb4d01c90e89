import { env } from "cloudflare:workers";
import { eq, sql, type SQL } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { eventRow } from "#worker/accounts/audit-log.ts";
import { chainEntries, readLogHead } from "#worker/accounts/log-chain.ts";
import { createArticle } from "#worker/articles/commands.ts";
import {
  beginWeeklyDrill,
  continueBackups,
  copyNow,
  drillNow,
  watchBackups,
} from "#worker/backups/commands.ts";
import type { DrillReport } from "#worker/backups/contract.ts";
import { joinInserts, withoutReferences } from "#worker/backups/drill-database.ts";
import { FILE_PIECE } from "#worker/backups/digests.ts";
import { readBackups } from "#worker/backups/queries.ts";
import { manifestKey, partKey } from "#worker/backups/store.ts";
import { backupFiles, backupRuns } from "#worker/backups/table.ts";
import { MAIL_TOPIC, type Mail } from "#worker/mail/message.ts";
import type { Context } from "#worker/platform/context.ts";
import { outbox } from "#worker/platform/table.ts";
import { afterLapse, newestCopy, newestRun, nextTick, someBytes, workThroughRun } from "./support/backups.ts";
import { contextAs, jobContext, ownerContext, visitorContext } from "./support/client.ts";
import { publishedEpisode, savedShow, storedImage } from "./support/factories.ts";

const { db } = jobContext();
const bigKey = "podcast-audio/big/talk.mp3";
const onFreePlan = { config: { ...jobContext().config, plan: "free" as const } };

beforeAll(async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const picture = await storedImage();
  await savedShow({ artworkFileId: picture.id });
  for (let n = 0; n < 3; n++)
    await publishedEpisode({ imageFileId: picture.id, transcript: "A: Hi.\nB: Hello." });
  for (let n = 0; n < 60; n++)
    await createArticle(ownerContext(), {
      title: `Essay ${n}; it's`,
      content: `First;\nINSERT INTO x\r\n${"long 🍋 ".repeat(n === 0 ? 9000 : 10)}`,
      status: "published",
    });
  await env.MEDIA.put(bigKey, someBytes(2 * FILE_PIECE + 5));
  // Rows of tests whose object is missing.
  for (const { key } of await db.all<{ key: string }>(sql`select key from files where status = 'complete'`))
    if (!(await env.MEDIA.head(key))) await env.MEDIA.put(key, "bytes");
  await copyNow(nextTick());
  expect(await workThroughRun()).toMatchObject({ state: "done", problem: null });
});

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));

async function drilled(options: Partial<Context> = {}) {
  await drillNow(nextTick(1, options));
  return workThroughRun(options);
}

/** Works up to a step of the drill. */
async function drillUntil(stage: string, options: Partial<Context> = onFreePlan) {
  await drillNow(nextTick());
  for (let ticks = 0; (await newestRun()).stage !== stage; ticks++) {
    await continueBackups(nextTick(20, options));
    expect(ticks).toBeLessThan(1000);
  }
}

const mailsAbout = async (subject: string) => {
  const rows = await db.select().from(outbox).where(eq(outbox.topic, MAIL_TOPIC));
  return rows.map(({ payload }) => payload as Mail).filter((mail) => mail.subject.startsWith(subject));
};

const tablesLeft = async () => {
  const { results } = await env.DRILL.prepare(
    "select name from sqlite_schema where sql is not null and name not like 'sqlite%' and name not like '\\_cf%' escape '\\'",
  ).all();
  return results;
};

/** Damages something, drills, and repairs it. */
async function problemAfter(damage: () => Promise<() => Promise<unknown>>) {
  const repair = await damage();
  const run = await drilled();
  await repair();
  expect(run.state).toBe("failed");
  return run.problem;
}

async function overwrite(key: string, change: (bytes: Uint8Array) => Uint8Array) {
  const object = (await env.BACKUP.get(key))!;
  const before = await object.bytes();
  await env.BACKUP.put(key, change(before.slice()));
  return () => env.BACKUP.put(key, before);
}

const flip = (at: number) => (bytes: Uint8Array) => {
  bytes[at]! ^= 1;
  return bytes;
};

describe("a drill", () => {
  it("restores the newest copy, finds it the same, and leaves nothing of it", async () => {
    const run = await drilled();
    expect(run.problem).toBeNull();
    const { manifest, name } = await newestCopy();
    expect(run).toMatchObject({ state: "done", copy: name });
    expect(run.position as DrillReport).toMatchObject({
      feed: "same",
      tables: manifest.database.tables.length,
      files: manifest.files.count,
      hashed: manifest.files.count,
    });
    expect(await tablesLeft()).toEqual([]);
    expect((await readBackups(nextTick())).problems).toEqual([]);
  });

  it("does the same in small steps on the free plan, of at most 50 statements each", async () => {
    await drillNow(nextTick());
    let most = 0;
    const counted = new Proxy(env.DRILL, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (key === "batch") most = Math.max(most, (args[0] as unknown[]).length);
          return (value as (...given: unknown[]) => unknown).apply(target, args);
        };
      },
    });
    for (let steps = 0; (await newestRun()).state !== "done"; steps++) {
      await continueBackups(nextTick(1, { ...onFreePlan, drill: counted }));
      expect((await newestRun()).problem).toBeNull();
      expect(steps).toBeLessThan(500);
    }
    expect(most).toBeLessThanOrEqual(45);
    expect((await newestRun()).position as DrillReport).toMatchObject({ feed: "same" });
  });

  it("passes although each step is done twice, by a consumer that was taken for dead", async () => {
    await drillNow(nextTick());
    for (let steps = 0; (await newestRun()).state !== "done"; steps++) {
      const run = await newestRun();
      await continueBackups(afterLapse(onFreePlan));
      expect((await newestRun()).problem).toBeNull();
      // As if the step had been interrupted before it was saved.
      if (steps % 2 === 0 && run.stage !== "begin" && run.stage !== "clear" && run.stage !== "empty")
        await db
          .update(backupRuns)
          .set({ stage: run.stage, position: run.position, state: "waiting" })
          .where(eq(backupRuns.id, run.id));
      expect(steps).toBeLessThan(1000);
    }
    expect((await newestRun()).position as DrillReport).toMatchObject({ feed: "same" });
  });

  it("passes although a row was added after each read of the copy", async () => {
    let added = 0;
    const busy = new Proxy(db, {
      get(target, name) {
        if (name !== "all") return Reflect.get(target, name) as unknown;
        return async (query: SQL) => {
          const rows = await target.all(query);
          if (added < 300) await target.run(sql`insert into desk_ticks values (${`row ${added++}`}, 1)`);
          return rows;
        };
      },
    });
    await copyNow(nextTick());
    expect((await workThroughRun({ db: busy })).problem).toBeNull();
    expect(added).toBeGreaterThan(60);
    expect((await drilled()).problem).toBeNull();
    await db.run(sql`delete from desk_ticks`);
  });

  it("passes although a file was deleted while the copy was made, which the next copy leaves out", async () => {
    const { id, key } = await storedImage();
    await env.MEDIA.put(key, "picture");
    await copyNow(nextTick());
    while ((await newestRun()).stage !== "list") await continueBackups(nextTick(20, onFreePlan));
    await db.run(sql`delete from files where id = ${id}`);
    await env.MEDIA.delete(key);
    expect((await workThroughRun(onFreePlan)).problem).toBeNull();
    const { files, manifest } = await newestCopy();
    expect(files.map((file) => file.key)).toContain(key);
    expect(files.map((file) => file.key)).toEqual(files.map((file) => file.key).toSorted());
    expect((await drilled()).problem).toBeNull();
    const [row] = await db.select().from(backupFiles).where(eq(backupFiles.key, key));
    expect(row!.goneCopy).toBe(manifest.number + 1);
    await copyNow(nextTick());
    expect((await workThroughRun()).problem).toBeNull();
    expect((await newestCopy()).files.map((file) => file.key)).not.toContain(key);
  });

  it("restores neither the copy nor a drill that was in progress", async () => {
    const open = "select count(*) as count from backup_runs where state in ('waiting', 'working')";
    await drillUntil("others");
    expect(await env.DRILL.prepare(open).first("count")).toBe(1);
    await drillUntil("feed");
    expect(await env.DRILL.prepare(open).first("count")).toBe(0);
    expect((await workThroughRun()).problem).toBeNull();
  });

  it("fails if one byte of the database's copy has changed", async () => {
    const { name, sql: text } = await newestCopy();
    const at = text.indexOf("Essay 7;");
    const offset = new TextEncoder().encode(text.slice(0, at)).length;
    expect(await problemAfter(() => overwrite(partKey(name, "database.sql"), flip(offset)))).toMatch(
      /database\.sql has changed since the copy was made/,
    );
  });

  it("fails if the copy was cut off, or its manifest is damaged", async () => {
    const { name } = await newestCopy();
    const cut = (bytes: Uint8Array) => bytes.slice(0, -1);
    expect(await problemAfter(() => overwrite(partKey(name, "database.sql"), cut))).toMatch(/too short/);
    expect(await problemAfter(() => overwrite(partKey(name, "files.ndjson"), cut))).toMatch(/too short/);
    expect(await problemAfter(() => overwrite(manifestKey(name), cut))).toMatch(/can’t be read/);
  });

  it.each([
    [
      "changed",
      "update articles set title = title || '!' where id = (select max(id) from articles)",
      /articles has other values/,
    ],
    [
      "deleted",
      "delete from articles where id = (select max(id) from articles)",
      /articles has \d+ rows instead of \d+/,
    ],
    ["added", "insert into desk_ticks values ('apple', 1)", /desk_ticks has 1 rows instead of 0/],
  ])("fails if one restored row was %s", async (_how, statement, problem) => {
    await drillUntil("compare");
    await env.DRILL.prepare(statement).run();
    expect(await workThroughRun()).toMatchObject({
      state: "failed",
      problem: expect.stringMatching(problem),
    });
  });

  it("fails if an entry of the security log was changed before the copy", async () => {
    await db.run(sql`delete from security_events`);
    await db.run(sql`delete from log_chain`);
    for (const email of ["a@site.example", "b@site.example"])
      await eventRow(ownerContext(), { kind: "login", email });
    await chainEntries(jobContext());
    await copyNow(nextTick());
    expect((await workThroughRun()).problem).toBeNull();
    expect((await newestCopy()).manifest.log).toEqual(await readLogHead(jobContext()));
    expect((await drilled()).problem).toBeNull();
    const [changed] = await db.all<{ id: number }>(
      sql`update security_events set email = 'b@site.example' where email = 'a@site.example' returning id`,
    );
    await copyNow(nextTick());
    expect((await workThroughRun()).problem).toBeNull();
    expect((await drilled()).problem).toBe(
      `The security log’s chain breaks at entry ${changed!.id}. Check the log in Settings ▸ Security.`,
    );
    await db.run(sql`delete from security_events`);
    await db.run(sql`delete from log_chain`);
    await copyNow(nextTick());
    expect((await workThroughRun()).problem).toBeNull();
  });

  it("fails if the restored database renders another feed", async () => {
    await drillUntil("feed");
    await env.DRILL.prepare(
      "update shows set title = 'Other Ground', feed_changed_at = feed_changed_at + 1",
    ).run();
    expect(await workThroughRun()).toMatchObject({ state: "failed", problem: expect.stringMatching(/feed/) });
  });

  it("fails if one copied file is missing, or one byte of it has changed", async () => {
    const key = `files/${bigKey}`;
    expect(await problemAfter(() => overwrite(key, flip(FILE_PIECE + 3)))).toMatch(
      /is not the one that was copied/,
    );
    // Stored once more, it has another etag than its parts had: the site copies no file twice.
    const copied = (await env.BACKUP.get(key))!;
    await db.delete(backupRuns).where(eq(backupRuns.state, "failed"));
    await copyNow(nextTick());
    await db.run(sql`delete from backup_files where key = ${bigKey}`);
    expect(copied.size).toBe(2 * FILE_PIECE + 5);
    expect((await workThroughRun()).problem).toBeNull();
    expect((await drilled()).state).toBe("done");
    const gone = await problemAfter(async () => {
      const bytes = await (await env.BACKUP.get(key))!.bytes();
      await env.BACKUP.delete(key);
      return () => env.BACKUP.put(key, bytes);
    });
    expect(gone).toMatch(/is missing in the bucket of copies/);
  });

  it("fails if a file has other bytes although the bucket lists it unchanged", async () => {
    const { files } = await newestCopy();
    const small = files.find(({ bytes }) => bytes < FILE_PIECE)!;
    const backup = new Proxy(env.BACKUP, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return async (...args: unknown[]) => {
          const found = await (value as (...given: unknown[]) => Promise<R2ObjectBody>).apply(target, args);
          if (name !== "get" || args[0] !== `files/${small.key}`) return found;
          const bytes = flip(0)(new Uint8Array(await found.arrayBuffer()));
          return { arrayBuffer: async () => bytes.buffer };
        };
      },
    });
    const run = await drilled({ backup });
    expect(run.problem).toBe(
      `The file ${small.key} in the bucket of copies has other bytes than the site’s.`,
    );
  });

  it("fails if the database names a file that the copy lacks", async () => {
    await drillUntil("used");
    await env.DRILL.prepare(
      "update files set key = 'uploads/x/never-copied.pdf' where id = (select max(id) from files where status = 'complete')",
    ).run();
    expect(await workThroughRun()).toMatchObject({
      state: "failed",
      problem: expect.stringMatching(/never-copied/),
    });
  });

  it("writes to the owner once for each drill that failed", async () => {
    await db.delete(outbox);
    const { name } = await newestCopy();
    await problemAfter(() => overwrite(partKey(name, "database.sql"), flip(100)));
    const mails = await mailsAbout("The drill of your copies failed");
    expect(mails).toHaveLength(1);
    expect(mails[0]!.text).toContain("has changed since the copy was made");
    expect((await readBackups(nextTick())).problems).toEqual(["drill-failed"]);
    await continueBackups(nextTick());
    await watchBackups(nextTick());
    expect(await mailsAbout("The drill of your copies failed")).toHaveLength(1);
    expect((await drilled()).state).toBe("done");
    expect((await readBackups(nextTick())).problems).toEqual([]);
  });

  it("is begun each week, once by two ticks side by side", async () => {
    const before = await db.$count(backupRuns);
    await beginWeeklyDrill(nextTick(60));
    expect(await db.$count(backupRuns)).toBe(before);
    const ctx = nextTick(7 * 24 * 60);
    await Promise.all([beginWeeklyDrill(ctx), beginWeeklyDrill(ctx)]);
    expect(await db.$count(backupRuns)).toBe(before + 1);
    expect((await workThroughRun()).state).toBe("done");
  });

  it("is reported once by email if none ended for ten days", async () => {
    await db.delete(outbox);
    await watchBackups(nextTick(9 * 24 * 60));
    expect(await mailsAbout("Your copies were not tried")).toEqual([]);
    const late = nextTick(2 * 24 * 60);
    await Promise.all([watchBackups(late), watchBackups(late)]);
    await watchBackups(nextTick(24 * 60));
    expect(await mailsAbout("Your copies were not tried for ten days")).toHaveLength(1);
    expect((await readBackups(nextTick())).problems).toEqual(["copy-old", "drill-late"]);
  });

  it("has only its bytes compared on the free plan if restoring it would write more rows than a day allows", async () => {
    await db.run(sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 16000)
      insert into desk_ticks select 'row ' || i, 1 from n`);
    await copyNow(nextTick());
    expect((await workThroughRun()).problem).toBeNull();
    await db.run(sql`delete from desk_ticks`);
    const free = await drilled(onFreePlan);
    expect(free).toMatchObject({ state: "done", problem: null });
    const { manifest, name, sql: text } = await newestCopy();
    expect(free.position as DrillReport).toMatchObject({ isRestored: false, files: manifest.files.count });
    const middle = flip(new TextEncoder().encode(text).length >> 1);
    const repair = await overwrite(partKey(name, "database.sql"), middle);
    expect((await drilled(onFreePlan)).problem).toMatch(/database\.sql has changed since the copy was made/);
    await repair();
    expect((await drilled()).position as DrillReport).toMatchObject({ isRestored: true });
    await copyNow(nextTick());
    expect((await workThroughRun()).problem).toBeNull();
    expect((await drilled(onFreePlan)).position as DrillReport).toMatchObject({ isRestored: true });
  });

  it("is for the owner and admins, as a copy is", async () => {
    for (const run of [copyNow, drillNow, continueBackups, watchBackups, beginWeeklyDrill, readBackups]) {
      await expect(run(contextAs("editor"))).rejects.toMatchObject({ code: "forbidden" });
      await expect(run(visitorContext())).rejects.toMatchObject({ code: "unauthenticated" });
    }
  });

  it("is missed with the copies: the owner gets one email once the newest copy is two days old", async () => {
    await copyNow(nextTick());
    expect((await workThroughRun()).problem).toBeNull();
    await db.delete(outbox);
    const subject = "Your site was not copied for two days";
    await watchBackups(nextTick(47 * 60));
    expect(await mailsAbout(subject)).toEqual([]);
    const old = nextTick(2 * 60);
    await Promise.all([watchBackups(old), watchBackups(old)]);
    await watchBackups(nextTick(24 * 60));
    expect(await mailsAbout(subject)).toHaveLength(1);
    // A deployment without the bucket.
    await db.delete(outbox);
    const unbound = { backup: undefined, drill: undefined };
    expect((await readBackups(nextTick(1, unbound))).problems).toEqual(["copy-old"]);
    const config = { ...nextTick().config, refusesCopies: true };
    expect((await readBackups(nextTick(1, { ...unbound, config }))).problems).toEqual([]);
    await watchBackups(nextTick(1, unbound));
    const [mail] = await mailsAbout(subject);
    expect(mail!.text).toContain("npm run deploy -- --copies yes");
  });

  it("is refused without a bucket, a database or a copy", async () => {
    await expect(drillNow(nextTick(1, { backup: undefined }))).rejects.toMatchObject({ code: "conflict" });
    await expect(drillNow(nextTick(1, { drill: undefined }))).rejects.toMatchObject({ code: "conflict" });
    await db.delete(backupRuns);
    await expect(drillNow(nextTick())).rejects.toMatchObject({ code: "conflict" });
    await beginWeeklyDrill(nextTick());
    expect(await db.$count(backupRuns)).toBe(0);
  });
});

describe("the statements of a drill", () => {
  it("create every table of the site with its columns and without foreign keys", async () => {
    const tables = await db.all<{ name: string; sql: string }>(
      sql`select name, sql from sqlite_schema where type = 'table' and sql like 'CREATE TABLE %' and name not like '%search%' and name not like '\\_cf%' escape '\\' and name not like 'sqlite%'`,
    );
    expect(tables.length).toBeGreaterThan(60);
    for (const { name, sql: statement } of tables) {
      const made = withoutReferences(statement);
      expect(made).not.toMatch(/references/i);
      await env.DRILL.prepare(`drop table if exists "${name}"`).run();
      await env.DRILL.prepare(made).run();
      const columns = sql.raw(`pragma table_info("${name}")`);
      const { results } = await env.DRILL.prepare(`pragma table_info("${name}")`).all();
      expect(results).toEqual(await db.all(columns));
    }
  });

  it("insert the same rows with fewer statements, none longer than D1 takes", () => {
    const rows = Array.from(
      { length: 500 },
      (_, n) => `INSERT INTO "t" ("a","b") VALUES (${n},'${"🍋".repeat(200)}')`,
    );
    const joined = joinInserts([...rows, `UPDATE "t" SET "b" = 1`, `INSERT INTO "u" ("a") VALUES (1)`]);
    expect(joined.length).toBeLessThan(10);
    for (const statement of joined) expect(new TextEncoder().encode(statement).length).toBeLessThan(100_000);
    expect(joined.join("\n").match(/🍋'/g)).toHaveLength(500);
  });
});
