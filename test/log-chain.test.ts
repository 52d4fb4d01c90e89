import { createHash } from "node:crypto";
import { createExecutionContext, createScheduledController, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { asc, eq, isNull, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { eventRow } from "#worker/accounts/audit-log.ts";
import { NOTHING_CHECKED, type LogHead } from "#worker/accounts/contract.ts";
import { chainEntries, checkLog, eraseLogOf, pruneEvents, readLogHead } from "#worker/accounts/log-chain.ts";
import { setLogHead } from "#worker/accounts/log-head-sql.ts";
import { beginLogCheck, continueLogCheck, readLogCheck } from "#worker/accounts/nightly-log-check.ts";
import { logChain, logChecks, securityEvents } from "#worker/accounts/table.ts";
import { readCopiedLogHeads } from "#worker/backups/queries.ts";
import { manifestKey } from "#worker/backups/store.ts";
import * as worker from "#worker/jobs.ts";
import { MAIL_TOPIC, type Mail } from "#worker/mail/message.ts";
import { outbox } from "#worker/platform/table.ts";
import { addUser, DAY } from "./support/accounts.ts";
import { timedBucket } from "./support/backups.ts";
import { jobContext, ownerContext, visitorContext } from "./support/client.ts";
import { jobs } from "./support/newsletter.ts";

const { db } = jobContext();

beforeEach(async () => {
  await db.delete(securityEvents);
  await db.delete(logChain);
});

const entries = () => db.select().from(securityEvents).orderBy(asc(securityEvents.id));

/** Appends this many entries. */
async function append(
  count: number,
  { now = new Date(), kind = "login" as "login" | "login_failed", email = "a@example.com" } = {},
) {
  const client = { address: "192.0.2.1", userAgent: "A browser" };
  for (let n = 0; n < count; n++)
    await eventRow(ownerContext({ now, client }), { kind, email, detail: `Entry ${n}` });
}

/** The same in one statement. */
const appendMany = (count: number) =>
  db.run(sql`insert into security_events (at, kind, email, address, user_agent)
    select value, 'login', 'a@example.com', '', '' from json_each(${JSON.stringify(Array.from({ length: count }, (_, n) => n))})`);

const chained = async (count: number) => {
  await append(count);
  await chainEntries(jobContext());
  return entries();
};

const aManifest = {
  format: 1,
  number: 1,
  site: "https://site.example",
  version: "1",
  startedAt: "2026-11-29T03:17:00.000Z",
  database: { pageBytes: 1, pieces: [], tables: [] },
  files: { count: 0, bytes: 0, pieces: [] },
  feed: null,
};

const check = (options?: Parameters<typeof checkLog>[1]) => checkLog(ownerContext(), options);

describe("the chain of the log", () => {
  it("has hashes that another reading of the decision page computes, too", async () => {
    const rows = await chained(3);
    const hashOf = (...parts: unknown[]) => createHash("sha256").update(JSON.stringify(parts)).digest("hex");
    let before = "";
    for (const { id, at, kind, email, by, address, userAgent, detail, salt, personalHash, hash } of rows) {
      expect(personalHash).toBe(hashOf(salt, email, by, address, userAgent, detail));
      before = hashOf(before, id, at.getTime(), kind, personalHash);
      expect(hash).toBe(before);
    }
    expect(await check()).toEqual({ ...NOTHING_CHECKED, checked: 3, next: null });
  });

  it("continues where it ended, and leaves newer entries to the next minute", async () => {
    await chained(2);
    await append(2);
    expect(await check()).toMatchObject({ checked: 2, faults: [] });
    await chainEntries(jobContext());
    expect(await check()).toMatchObject({ checked: 4, faults: [] });
  });

  it("neither forks nor loses an entry when two crons and many writers run together", async () => {
    await Promise.all([
      append(20),
      chainEntries(jobContext()),
      append(20),
      chainEntries(jobContext()),
      append(20),
    ]);
    await Promise.all([chainEntries(jobContext()), chainEntries(jobContext()), chainEntries(jobContext())]);
    await chainEntries(jobContext());
    expect(await check()).toMatchObject({ checked: 60, faults: [] });
  });

  it("chains more entries than a slice has", async () => {
    await appendMany(1200);
    await chainEntries(jobContext());
    expect(await check()).toMatchObject({ checked: 1200, faults: [] });
  });

  it("takes few of the free plan’s statements each minute", async () => {
    await appendMany(1200);
    const config = { ...jobContext().config, plan: "free" as const };
    const tick = async () => {
      const ctx = jobContext({ config });
      await chainEntries(ctx);
      expect(ctx.d1.statements).toBeLessThanOrEqual(8);
      return (await check()).checked;
    };
    expect(await tick()).toBe(1000);
    expect(await tick()).toBe(1200);
  });

  it("is left to a restore that begins between the read and the write of a minute’s cron", async () => {
    await chained(2);
    await append(1);
    const { $client: client } = db as typeof db & { $client: D1Database };
    const restoring = {
      prepare: (query: string) => client.prepare(query),
      batch: async (statements: D1PreparedStatement[]) => {
        await db.delete(logChain);
        return client.batch(statements);
      },
    };
    const racing = new Proxy(db, {
      get: (target, name) => (name === "$client" ? restoring : (Reflect.get(target, name) as unknown)),
    });
    await chainEntries(jobContext({ db: racing }));
    expect(await db.select().from(logChain)).toEqual([]);
    expect((await entries()).map(({ hash }) => hash !== null)).toEqual([true, true, false]);
  });

  it("is checked part by part", async () => {
    const rows = await chained(6);
    const first = await check({ after: rows[3]!.id });
    expect(first).toMatchObject({ checked: 2, faults: [] });
    expect(await check({ after: 999_999 })).toMatchObject({ faults: [{ id: 999_999, is: "missing" }] });
  });
});

describe("a check of the log names the entries that do not match", () => {
  it.each<[string, (ids: number[]) => ReturnType<typeof sql>, number, string]>([
    [
      "its kind was changed",
      (ids) => sql`update security_events set kind = 'logout' where id = ${ids[2]}`,
      2,
      "unlinked",
    ],
    [
      "its time was changed",
      (ids) => sql`update security_events set at = at - 1 where id = ${ids[2]}`,
      2,
      "unlinked",
    ],
    [
      "its account was changed",
      (ids) => sql`update security_events set email = 'b@example.com' where id = ${ids[2]}`,
      2,
      "changed",
    ],
    [
      "its network address was changed",
      (ids) => sql`update security_events set address = '' where id = ${ids[0]}`,
      0,
      "changed",
    ],
    [
      "the one before it was removed",
      (ids) => sql`delete from security_events where id = ${ids[1]}`,
      2,
      "unlinked",
    ],
    ["the first was removed", (ids) => sql`delete from security_events where id = ${ids[0]}`, 1, "unlinked"],
    [
      "the last was removed",
      (ids) => sql`delete from security_events where id = ${ids[4]}`,
      3,
      "end missing",
    ],
    [
      "it was inserted",
      (ids) =>
        sql`insert into security_events (id, at, kind, email, address, user_agent) values (${ids[4]! - 10_000}, 1, 'login', '', '', '')`,
      -1,
      "unlinked",
    ],
  ])("%s", async (_, tamper, at, is) => {
    await db.run(sql`update sqlite_sequence set seq = seq + 20000 where name = 'security_events'`);
    const ids = (await chained(5)).map(({ id }) => id);
    await db.run(tamper(ids));
    const { faults } = await check();
    expect(faults).toEqual([{ id: at < 0 ? ids[4]! - 10_000 : ids[at], is }]);
    // The next minute makes nothing of it right.
    await append(1);
    await chainEntries(jobContext());
    expect((await check()).faults).not.toEqual([]);
  });

  it("also if the whole chain was computed again, by the head in a copy", async () => {
    await chained(3);
    const copy = await readLogHead(jobContext());
    await append(1);
    await chainEntries(jobContext());
    expect(await check({ copies: [copy] })).toMatchObject({ checked: 4, faults: [] });
    await db.run(sql`update security_events set kind = 'logout' where id = ${copy.id - 1}`);
    await db.delete(logChain);
    await chainEntries(jobContext());
    expect(await check()).toMatchObject({ faults: [] });
    expect(await check({ copies: [copy] })).toMatchObject({
      faults: [{ id: copy.id, is: "other than a copy" }],
    });
  });

  it("also if the copy’s entry was removed before the rest was chained again", async () => {
    await chained(3);
    const copy = await readLogHead(jobContext());
    await append(2);
    await db.delete(securityEvents).where(eq(securityEvents.id, copy.id));
    await db.delete(logChain);
    await chainEntries(jobContext());
    expect(await check()).toMatchObject({ checked: 4, faults: [] });
    expect(await check({ copies: [copy] })).toMatchObject({
      checked: 3,
      faults: [{ id: copy.id + 1, is: "other than a copy" }],
    });
    const [first] = await entries();
    expect(await check({ copies: [copy], after: first!.id })).toMatchObject({
      faults: [{ id: copy.id + 1 }],
    });
  });

  it("also if the log pretends to begin after the copy’s entry", async () => {
    const rows = await chained(3);
    const copy = await readLogHead(jobContext());
    await append(2);
    await chainEntries(jobContext());
    await db.update(logChain).set({ prunedId: copy.id, prunedHash: copy.hash });
    expect(await check({ copies: [copy] })).toMatchObject({ checked: 2, faults: [] });
    expect(await check({ copies: [{ ...copy, hash: rows[0]!.hash! }] })).toMatchObject({
      faults: [{ id: copy.id, is: "other than a copy" }],
    });
    const next = (await entries())[3]!;
    await db.update(logChain).set({ prunedId: next.id, prunedHash: next.hash! });
    await db.delete(securityEvents).where(sql`id <= ${next.id}`);
    expect(await check()).toMatchObject({ checked: 1, faults: [] });
    expect(await check({ copies: [copy] })).toMatchObject({
      faults: [{ id: next.id, is: "other than a copy" }],
    });
  });

  it("also if entries that an older copy proves to be too young for it were deleted before the newest copy", async () => {
    await chained(3);
    const older = await readLogHead(jobContext());
    const rows = await chained(3);
    const newest = await readLogHead(jobContext());
    const begin = rows[4]!;
    await db.update(logChain).set({ prunedId: begin.id, prunedHash: begin.hash! });
    await pruneEvents(jobContext());
    expect(await entries()).toHaveLength(1);
    expect(await check({ copies: [newest] })).toMatchObject({ checked: 1, faults: [] });
    expect(await check({ copies: [older, newest] })).toMatchObject({
      faults: [{ id: begin.id, is: "other than a copy" }],
    });
  });

  it("also if its personal data was erased as that of strangers is, or replaced", async () => {
    await append(2, { kind: "login_failed" });
    await chainEntries(jobContext());
    const [first, second] = await entries();
    const blank = { email: "", by: null, address: "", userAgent: "", detail: null, salt: null };
    const erase = (id: number) => db.update(securityEvents).set(blank).where(eq(securityEvents.id, id));
    await erase(first!.id);
    expect(await check()).toMatchObject({ checked: 2, erased: 1, faults: [] });
    const other = { salt: null, email: "b@example.com" };
    await db.update(securityEvents).set(other).where(eq(securityEvents.id, second!.id));
    expect((await check()).faults).toEqual([{ id: second!.id, is: "changed" }]);
    await erase(second!.id);
    const third = (await chained(1)).at(-1)!;
    await erase(third.id);
    expect((await check()).faults).toEqual([{ id: third.id, is: "changed" }]);
  });
});

describe("the copies with which the log is compared", () => {
  beforeEach(async () => {
    const { objects } = await env.BACKUP.list();
    await env.BACKUP.delete(objects.map(({ key }) => key));
  });

  /** Stores a copy with this head, made this many days ago. */
  async function copyOf(log: LogHead, number: number) {
    const name = `${String(number).padStart(6, "0")}-2026-11-29T0317Z`;
    await bucket.put(manifestKey(name), JSON.stringify({ ...aManifest, log }));
  }
  let now = new Date();
  const bucket = timedBucket(() => now);
  const headsAt = (time: Date) => readCopiedLogHeads(jobContext({ now: time, backup: bucket }));

  it("are the newest, and the oldest of the last 7, 30 and 358 days", async () => {
    const today = Date.now();
    for (const [n, days] of [360, 350, 300, 40, 29, 20, 6, 3, 0].entries()) {
      now = new Date(today - days * DAY);
      await copyOf({ id: days, hash: "of the copy" }, n + 1);
    }
    const ids = async (later: number) =>
      (await headsAt(new Date(today + later * DAY))).map(({ id }) => id).toSorted((a, b) => a - b);
    expect(await ids(0)).toEqual([0, 6, 29, 350]);
    expect(await ids(100)).toEqual([0, 40]);
    expect(await ids(365)).toEqual([]);
  });

  it("match in each night of two years in which entries are chained, deleted and copied", async () => {
    const start = Date.now();
    for (let night = 1; night <= 100; night++) {
      now = new Date(start + night * 7 * DAY);
      await append(1, { now: new Date(now.getTime() - DAY) });
      await chainEntries(jobContext({ now }));
      await pruneEvents(jobContext({ now }));
      await copyOf(await readLogHead(jobContext()), night);
      const copies = await headsAt(now);
      expect(await checkLog(ownerContext({ now }), { copies })).toMatchObject({ faults: [] });
    }
    expect(await headsAt(now)).toHaveLength(4);
    expect((await entries()).length).toBeLessThan(60);
  });
});

describe("the erasure of personal data", () => {
  it("after 30 days leaves the chain whole, and nothing by which an address could be guessed", async () => {
    await append(2, {
      now: new Date(Date.now() - 40 * DAY),
      kind: "login_failed",
      email: "stranger@example.com",
    });
    await chained(2);
    await pruneEvents(jobContext());
    const [first] = await entries();
    expect(first).toMatchObject({
      email: "",
      by: null,
      address: "",
      userAgent: "",
      detail: null,
      salt: null,
    });
    expect(JSON.stringify(await entries())).not.toContain("stranger");
    expect(await check()).toEqual({ ...NOTHING_CHECKED, checked: 4, erased: 2, next: null });
  });

  it("after 30 days includes the numbers of refusals that were left out, which have no network address", async () => {
    const now = new Date(Date.now() - 40 * DAY);
    const event = { kind: "limit_reached", email: "editor@example.com", detail: "12 more" } as const;
    await eventRow(jobContext({ now, client: { address: "", userAgent: "" } }), event);
    await chainEntries(jobContext());
    await pruneEvents(jobContext());
    expect(JSON.stringify(await entries())).not.toContain("editor@");
    expect(await check()).toMatchObject({ checked: 1, erased: 1, faults: [] });
  });

  it("of a visitor’s refusal while it is being chained leaves the chain whole", async () => {
    await append(3, { now: new Date(Date.now() - 40 * DAY), kind: "login_failed", email: "" });
    await Promise.all([chainEntries(jobContext()), pruneEvents(jobContext())]);
    await chainEntries(jobContext());
    await pruneEvents(jobContext());
    expect(JSON.stringify(await entries())).not.toContain("192.0.2.1");
    expect(await check()).toMatchObject({ checked: 3, faults: [] });
  });

  it("of a person without an account leaves the chain whole, also while it is being chained", async () => {
    await append(3, { kind: "login_failed", email: "stranger@example.com" });
    await Promise.all([chainEntries(jobContext()), eraseLogOf(jobContext(), "stranger@example.com")]);
    await chainEntries(jobContext());
    expect(JSON.stringify(await entries())).not.toContain("stranger");
    expect(await check()).toMatchObject({ checked: 3, faults: [] });
    await append(2, { email: "stranger@example.com" });
    await eraseLogOf(jobContext(), "stranger@example.com");
    expect(JSON.stringify(await entries())).toContain("stranger");
  });
});

describe("entries of more than a year", () => {
  it("are left out of the chain, which begins with the first that is younger, and deleted in the next night", async () => {
    await append(3, { now: new Date(Date.now() - 366 * DAY) });
    await append(2, { now: new Date(Date.now() - 300 * DAY) });
    await chained(1);
    await pruneEvents(jobContext());
    expect(await entries()).toHaveLength(6);
    expect(await check()).toMatchObject({ checked: 3, faults: [] });
    await pruneEvents(jobContext());
    expect(await entries()).toHaveLength(3);
    expect(await check()).toMatchObject({ checked: 3, faults: [] });
    const [first] = await entries();
    await db.delete(securityEvents).where(eq(securityEvents.id, first!.id));
    expect((await check()).faults).not.toEqual([]);
  });

  it("are all deleted if none is younger, and the chain continues", async () => {
    await append(3, { now: new Date(Date.now() - 366 * DAY) });
    await chainEntries(jobContext());
    await pruneEvents(jobContext());
    await pruneEvents(jobContext());
    expect(await entries()).toEqual([]);
    expect(await check()).toMatchObject({ checked: 0, faults: [] });
    await chained(2);
    expect(await check()).toMatchObject({ checked: 2, faults: [] });
  });
});

it("a copy that read where the chain begins before a night, and the entries after it, has a whole chain", async () => {
  await append(3, { now: new Date(Date.now() - 366 * DAY) });
  await chained(2);
  const [read] = await db.select().from(logChain);
  await pruneEvents(jobContext());
  await db.update(logChain).set(read!);
  expect(await check()).toMatchObject({ checked: 5, faults: [] });
});

it("a restored database whose tables were read at different times continues the chain", async () => {
  const rows = await chained(4);
  await db.run(
    sql`update security_events set salt = null, personal_hash = null, hash = null where id >= ${rows[2]!.id}`,
  );
  for (const statement of setLogHead) await db.run(sql.raw(statement));
  expect(await readLogHead(jobContext())).toEqual({ id: rows[1]!.id, hash: rows[1]!.hash });
  await chainEntries(jobContext());
  expect(await check()).toMatchObject({ checked: 4, faults: [] });
});

describe("the night’s check", () => {
  const free = { ...jobContext().config, plan: "free" as const };
  const noCopies = async (): Promise<LogHead[]> => [];
  /** Each run is a night later than the one before. */
  async function night(days: number, { copies = noCopies, config = jobContext().config } = {}) {
    const ctx = () => jobContext({ jobs, config, now: new Date(Date.now() + days * DAY) });
    await beginLogCheck(ctx());
    await beginLogCheck(ctx());
    let steps = 0;
    while (await continueLogCheck(ctx(), copies)) steps++;
    return { steps, ...(await readLogCheck(ownerContext()))! };
  }
  async function runCron(cron: string) {
    const execution = createExecutionContext();
    await worker.tick(createScheduledController({ cron, scheduledTime: new Date() }), env, execution);
    await waitOnExecutionContext(execution);
  }
  const mails = async () =>
    (await db.select().from(outbox).where(eq(outbox.topic, MAIL_TOPIC))).map(
      ({ payload }) => payload as Mail,
    );
  beforeEach(async () => {
    await db.delete(logChecks);
    await db.delete(outbox);
  });

  it("stores its result, and is the one of the night before no longer", async () => {
    await chained(3);
    expect(await readLogCheck(ownerContext())).toBeNull();
    expect(await night(0)).toMatchObject({ steps: 1, checked: 3, erased: 0, faults: [] });
    await append(1);
    await chainEntries(jobContext());
    expect(await night(1)).toMatchObject({ checked: 4, faults: [] });
    expect(await db.$count(logChecks)).toBe(1);
    expect(await mails()).toEqual([]);
  });

  it("takes a step for each thousand entries on the free plan, once by concurrent crons", async () => {
    await appendMany(2300);
    await chainEntries(jobContext());
    expect(await night(0, { config: free })).toMatchObject({ steps: 3, checked: 2300, faults: [] });
    await beginLogCheck(jobContext({ now: new Date(Date.now() + DAY) }));
    await Promise.all([1, 2].map(() => continueLogCheck(jobContext({ config: free }), noCopies)));
    expect(await db.select().from(logChecks).where(isNull(logChecks.finishedAt))).toMatchObject([
      { checked: 1000 },
    ]);
  });

  it("mails the owner about a fault, once for each", async () => {
    const rows = await chained(5);
    const owner = await addUser({ role: "super_admin" });
    await db.run(sql`update security_events set kind = 'logout' where id = ${rows[2]!.id}`);
    const fault = { id: rows[2]!.id, is: "unlinked" };
    expect(await night(0)).toMatchObject({ steps: 2, checked: 4, faults: [fault] });
    expect(await night(1)).toMatchObject({ faults: [fault] });
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      to: owner.email,
      subject: expect.stringMatching(/^The security log isn’t whole: /),
    });
    expect(mail!.text).toContain(`Entry ${fault.id} doesn’t follow the one before it`);
    await db.run(sql`delete from security_events where id = ${rows[0]!.id}`);
    expect(await night(2)).toMatchObject({ faults: [{ id: rows[1]!.id, is: "unlinked" }, fault] });
    expect(await mails()).toHaveLength(2);
  });

  it("continues behind a fault, and mails about another that comes later", async () => {
    const rows = await chained(5);
    await db.run(sql`update security_events set kind = 'logout' where id = ${rows[1]!.id}`);
    await night(0);
    await db.run(sql`update security_events set address = '' where id = ${rows[3]!.id}`);
    const faults = [
      { id: rows[1]!.id, is: "unlinked" },
      { id: rows[3]!.id, is: "changed" },
    ];
    expect(await night(1)).toMatchObject({ checked: 3, faults });
    const [, second, ...others] = await mails();
    expect(others).toEqual([]);
    expect(second!.text).toContain(`details of entry ${rows[3]!.id} were changed`);
    expect(second!.text).not.toContain(`Entry ${rows[1]!.id} `);
    expect(await night(2)).toMatchObject({ faults });
    expect(await mails()).toHaveLength(2);
  });

  it("lists twenty faults, counts the others, and mails once more if these become more", async () => {
    const rows = await chained(30);
    const tamper = (from: number, to: number) =>
      db.run(
        sql`update security_events set address = '' where id between ${rows[from]!.id} and ${rows[to]!.id}`,
      );
    await tamper(0, 21);
    const first = await night(0);
    expect(first).toMatchObject({ checked: 8, more: 2 });
    expect(first.faults).toHaveLength(20);
    await night(1);
    await tamper(22, 22);
    expect(await night(2)).toMatchObject({ checked: 7, more: 3 });
    const [, second, ...others] = await mails();
    expect(others).toEqual([]);
    expect(second!.text).toContain("3 more entries don’t match.");
  });

  it("finds a fault also in a later step than the first", async () => {
    await appendMany(1200);
    await chainEntries(jobContext());
    const rows = await entries();
    await db.run(
      sql`update security_events set address = 'x' where id in (${rows[5]!.id}, ${rows[1100]!.id})`,
    );
    expect(await night(0, { config: free })).toMatchObject({
      steps: 4,
      checked: 1198,
      faults: [{ id: rows[5]!.id }, { id: rows[1100]!.id }],
    });
  });

  it("stores how many copies it was compared with", async () => {
    const rows = await chained(3);
    expect(await night(0)).toMatchObject({ copies: 0, faults: [] });
    const copies = async () => [rows[0]!, rows[2]!].map(({ id, hash }) => ({ id, hash: hash! }));
    expect(await night(1, { copies })).toMatchObject({ copies: 2, faults: [] });
  });

  it("is not stopped by a row of the future", async () => {
    await chained(2);
    const time = Date.now() + 365 * DAY;
    await db.insert(logChecks).values({
      begunAt: new Date(time),
      checked: 9,
      erased: 0,
      isSecond: false,
      finishedAt: new Date(time),
    });
    expect(await night(0)).toMatchObject({ steps: 1, checked: 2, faults: [] });
  });

  it("compares with the copies", async () => {
    const rows = await chained(2);
    const copies = async () => [{ id: rows[1]!.id, hash: "another" }];
    expect(await night(0, { copies })).toMatchObject({ faults: [{ is: "other than a copy" }] });
  });

  it("begins again, without an email, if a restore has replaced the log that it was reading", async () => {
    await appendMany(1200);
    await chainEntries(jobContext());
    await beginLogCheck(jobContext());
    await continueLogCheck(jobContext({ config: free }), noCopies);
    await db.delete(securityEvents);
    await db.delete(logChain);
    await chained(2);
    while (await continueLogCheck(jobContext({ config: free }), noCopies));
    expect(await readLogCheck(ownerContext())).toMatchObject({ checked: 2, faults: [] });
    expect(await mails()).toEqual([]);
  });

  it("runs after the daily cron, in the minute’s cron", async () => {
    await chained(2);
    await runCron("17 3 * * *");
    // Of other tests there may be copies in the bucket, which are another log's: a second run finds the fault again.
    for (let minute = 0; minute < 2; minute++) await runCron("* * * * *");
    expect(await readLogCheck(ownerContext())).not.toBeNull();
  });

  it("is read by the roles that may read the log", async () => {
    await expect(readLogCheck(visitorContext())).rejects.toMatchObject({ code: "unauthenticated" });
  });
});
