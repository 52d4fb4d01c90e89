import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { claimNext, importWork } from "#worker/imports/claims.ts";
import { settle } from "#worker/imports/settle-item.ts";
import {
  addItems,
  cancelImport,
  createImport,
  deleteImport,
  pauseImport,
  resumeImport,
  retryItems,
  startImport,
} from "#worker/imports/import-commands.ts";
import { listImports, listItems, readImport } from "#worker/imports/import-queries.ts";
import type { ImportItem, Outcome } from "#worker/imports/import-type.ts";
import { AT_ONCE } from "#worker/imports/queue.ts";
import { pruneImports } from "#worker/imports/retention.ts";
import { importItems, imports } from "#worker/imports/table.ts";
import { watchImports } from "#worker/imports/resume-interrupted.ts";
import { workOn } from "#worker/imports/work.ts";
import { consume } from "#worker/jobs.ts";
import type { JobMessage } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { contextAs, jobContext, ownerContext } from "./support/client.ts";
import {
  forgetKind,
  itemRows,
  keptMessages,
  kindOf,
  lapseClaims,
  openImport,
  progressOf,
  startedImport,
  still,
  workThrough,
} from "./support/imports.ts";
import { plansOf } from "./support/plans.ts";

const MINUTE = 60_000;
const MAX_ATTEMPTS = importWork.maxAttempts;
const owner = ownerContext(still);
const job = (options = {}) => jobContext({ ...still, ...options });
const inMinutes = (minutes: number) => job({ now: new Date(Date.now() + minutes * MINUTE) });

/** How often each item was worked on, by its number. */
let worked: number[] = [];
let answer: (n: number) => Outcome | Promise<Outcome> = () => ({ is: "done" });
const importItem: ImportItem = async (_ctx, { payload }) => {
  const { n } = payload as { n: number };
  worked[n] = (worked[n] ?? 0) + 1;
  return answer(n);
};

let kinds = kindOf(importItem);
beforeEach(async () => {
  await job().db.delete(imports);
  worked = [];
  answer = () => ({ is: "done" });
  kinds = kindOf(importItem);
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  forgetKind();
});

describe("the items of an import", () => {
  it("are added in bounded requests, each key once, and until it is started", async () => {
    const { id } = await createImport(owner, { kind: "test", source: "a.zip" });
    const item = (key: string) => ({ key, title: key, payload: { n: 0 } });
    await addItems(owner, id, { items: [item("a"), item("b"), item("a")] });
    expect(await addItems(owner, id, { items: [item("b"), item("c")] })).toMatchObject({
      counts: { total: 3 },
    });
    const many = Array.from({ length: 101 }, (_, n) => item(`k${n}`));
    await expect(addItems(owner, id, { items: many })).rejects.toMatchObject({ field: "items" });
    const bad = { ...item("d"), payload: { n: "none" } };
    await expect(addItems(owner, id, { items: [item("e"), bad] })).rejects.toMatchObject({
      code: "invalid",
      field: "items.1.payload",
    });
    const long = { ...item("f"), payload: "x".repeat(700_000) };
    await expect(addItems(owner, id, { items: [long] })).rejects.toMatchObject({ field: "items.0.payload" });
    expect((await itemRows(id)).map(({ key }) => key)).toEqual(["a", "b", "c"]);
    await startImport(owner, id);
    await expect(addItems(owner, id, { items: [item("g")] })).rejects.toMatchObject({ code: "conflict" });
  });

  it("may each be as long as a text of 300 kB", async () => {
    kinds["test"]!.payload = null;
    await expect(createImport(owner, { kind: "test", source: "a" })).rejects.toMatchObject({ field: "kind" });
    kindOf(importItem);
    const id = await openImport(1);
    const ctx = ownerContext(still);
    kinds["test"]!.payload = (await import("zod")).z.string();
    const items = ["a", "b", "c"].map((key) => ({ key, title: key, payload: "é".repeat(300_000) }));
    expect(await addItems(ctx, id, { items })).toMatchObject({ counts: { total: 4 } });
    expect((await itemRows(id)).at(-1)?.payload).toHaveLength(300_000);
  });

  it("are listed in their order, page by page, and by their state", async () => {
    answer = (n) => (n === 7 ? { is: "failed", message: "Gone." } : { is: "done", result: n });
    const id = await startedImport(120);
    await workThrough(id);
    const first = await listItems(owner, id);
    expect(first.items.map(({ key }) => key)).toEqual(Array.from({ length: 50 }, (_, n) => `k${n}`));
    const second = await listItems(owner, id, { before: first.next! });
    const third = await listItems(owner, id, { before: second.next! });
    expect(third.items).toHaveLength(20);
    expect(third.next).toBeNull();
    expect((await listItems(owner, id, { state: "failed" })).items).toMatchObject([
      { key: "k7", message: "Gone.", state: "failed", result: null },
    ]);
    expect(first.items[3]).toMatchObject({ result: "3", state: "done" });
    await expect(listItems(owner, id, { before: "x" })).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("an import that runs", () => {
  it("processes each item once, and counts the results", async () => {
    const outcomes: Outcome[] = [
      { is: "done", result: 12, message: "Without its picture." },
      { is: "skipped", message: "Already here." },
      { is: "failed", message: "The host answers 404." },
    ];
    answer = (n) => outcomes[n]!;
    const id = await startedImport(3);
    await workThrough(id);
    expect(worked).toEqual([1, 1, 1]);
    expect(await progressOf(id)).toMatchObject({
      state: "done",
      counts: { total: 3, done: 1, skipped: 1, failed: 1 },
      finishedAt: expect.any(Number),
    });
    expect((await itemRows(id)).map(({ message }) => message)).toEqual([
      "Without its picture.",
      "Already here.",
      "The host answers 404.",
    ]);
  });

  it("uses the queue: each item is a separate message", async () => {
    const id = await startedImport(2);
    const { imports: queue, sent } = keptMessages();
    const body: JobMessage = { kind: "import", id: String(id) };
    const message = { id: "m", timestamp: new Date(), attempts: 1, body };
    const batch = createMessageBatch<JobMessage>("rostrum-imports", [message]);
    const execution = createExecutionContext();
    await consume(batch, { ...env, IMPORTS: queue } as unknown as Env, execution);
    expect(await getQueueResult(batch, execution)).toMatchObject({ explicitAcks: ["m"] });
    expect(worked).toEqual([1]);
    expect(sent).toEqual([id]);
  });

  it("is started once, with several messages, and not without items", async () => {
    const id = await openImport(9);
    const { imports: queue, sent } = keptMessages();
    const starts = [1, 2].map(() => startImport(ownerContext({ ...still, imports: queue }), id));
    const settled = await Promise.allSettled(starts);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(sent).toEqual(Array.from({ length: AT_ONCE }, () => id));
    const empty = await createImport(owner, { kind: "test", source: "b.zip" });
    await expect(startImport(owner, empty.id)).rejects.toMatchObject({
      message: "There’s nothing to import.",
    });
  });

  it("cannot be started as drafts if its kind has none", async () => {
    const id = await openImport(1);
    await expect(startImport(owner, id, { as: "draft" })).rejects.toMatchObject({
      code: "invalid",
      field: "as",
    });
    expect(await progressOf(id)).toMatchObject({ state: "open" });
  });

  it("works on a few at a time, however many messages there are", async () => {
    const id = await startedImport(10);
    const claims = await Promise.all(Array.from({ length: 9 }, () => claimNext(job(), id)));
    const claimed = claims.flatMap((claim) => claim ?? []);
    expect(claimed).toHaveLength(AT_ONCE);
    expect(new Set(claimed.map(({ id: item }) => item)).size).toBe(AT_ONCE);
  });

  it("does nothing twice if messages are doubled", async () => {
    const id = await startedImport(12);
    await Promise.all(Array.from({ length: 5 }, () => workThrough(id)));
    expect(worked).toEqual(Array.from({ length: 12 }, () => 1));
    expect((await progressOf(id)).counts).toMatchObject({ done: 12 });
  });

  it("costs at most nine statements an item beside what its kind does, and reads few rows", async () => {
    const id = await startedImport(400);
    for (let n = 0; n < 300; n++) {
      const ctx = job();
      await workOn(ctx, id, kinds);
      expect(ctx.d1.statements).toBeLessThanOrEqual(9);
      expect(ctx.d1.rowsRead).toBeLessThanOrEqual(40);
    }
  });

  it("uses its indexes", async () => {
    const id = await startedImport(2);
    const plans = await plansOf(async (ctx) => {
      const quiet = { ...ctx, ...still };
      await workOn(quiet, id, kinds);
      await watchImports(quiet);
      await listItems(quiet, id);
      await listItems(quiet, id, { state: "failed" });
      await listImports(quiet, { kind: "test" });
    });
    expect(plans.length).toBeGreaterThan(8);
    expect(plans.filter((detail) => /SCAN (?!given|\d)|TEMP B-TREE/.test(detail))).toEqual([]);
  });

  it("continues from what was saved, message by message", async () => {
    const seen: unknown[] = [];
    kindOf(async (_ctx, { saved, save }) => {
      seen.push(saved);
      const step = Number((saved as { step: number } | null)?.step ?? 0) + 1;
      await save({ step }, { size: 30, moved: step * 10 });
      return step < 3 ? { is: "more" } : { is: "done" };
    });
    const id = await startedImport(1);
    await workThrough(id);
    expect(seen).toEqual([null, { step: 1 }, { step: 2 }]);
    expect(await progressOf(id)).toMatchObject({ state: "done", bytes: { moved: 30 } });
    expect(await itemRows(id)).toMatchObject([{ saved: null, size: 30, moved: 30, attempts: 0 }]);
  });

  it("stops working on an item at its next save if another message has taken over its claim", async () => {
    const steps: string[] = [];
    kindOf(async (_ctx, { save }) => {
      await job().db.update(importItems).set({ claim: "another" }).where(eq(importItems.importId, id));
      steps.push("before");
      await save({ step: 1 }, { moved: 10 });
      steps.push("after");
      return { is: "done" };
    });
    const id = await startedImport(1);
    await workOn(job(), id, kinds);
    expect(steps).toEqual(["before"]);
    expect(await itemRows(id)).toMatchObject([{ state: "working", claim: "another", saved: null, moved: 0 }]);
  });
});

describe("what fails", () => {
  it("is refused with a message, or retried with longer waits, and finally fails", async () => {
    answer = (n) => {
      if (n === 0) throw new AppError("invalid", "A title has at most 255 characters.");
      if (n === 1) throw new Error("D1 was away");
      return { is: "again", message: "The host answers 503." };
    };
    const id = await startedImport(3);
    await workThrough(id);
    expect(await itemRows(id)).toMatchObject([
      { state: "failed", message: "A title has at most 255 characters." },
      { state: "waiting", message: "Something went wrong on this site, not at the source. Try it again." },
      { state: "waiting", message: "The host answers 503." },
    ]);
    expect(await progressOf(id)).toMatchObject({ state: "running" });
    await workThrough(id);
    expect(worked[2]).toBe(1);
    for (let minutes = 2; minutes < 60; minutes += 2) await workThrough(id, inMinutes(minutes));
    expect(worked).toEqual([1, MAX_ATTEMPTS, MAX_ATTEMPTS]);
    expect(await progressOf(id)).toMatchObject({ state: "done", counts: { failed: 3 } });
  });

  it("finally fails if each attempt saves the same and breaks after it", async () => {
    let attempts = 0;
    kindOf(async (_ctx, { save }) => {
      attempts++;
      await save({ step: 1 }, { moved: 10 });
      throw new Error("broken");
    });
    const id = await startedImport(1);
    for (let minutes = 0; minutes < 60; minutes += 2) await workThrough(id, inMinutes(minutes));
    expect(attempts).toBe(1 + MAX_ATTEMPTS);
    expect(await itemRows(id)).toMatchObject([{ state: "failed", moved: 10 }]);
  });

  it("does not fail as long as it gets on, if only by bytes", async () => {
    let moved = 0;
    kindOf(async (_ctx, { save }) => {
      await save({ step: 1 }, { moved: ++moved });
      return { is: "again", message: "The connection to the host was lost." };
    });
    const id = await startedImport(1);
    for (let minutes = 0; minutes < 60; minutes += 2) await workThrough(id, inMinutes(minutes));
    expect(moved).toBe(30);
    expect(await itemRows(id)).toMatchObject([{ state: "waiting", moved }]);
  });

  it("is tried again, one or all of it", async () => {
    answer = () => ({ is: "failed", message: "Gone." });
    const id = await startedImport(3);
    await workThrough(id);
    const [first] = await itemRows(id);
    answer = () => ({ is: "done" });
    await retryItems(owner, id, { item: first!.id });
    expect(await progressOf(id)).toMatchObject({ state: "running", finishedAt: null, counts: { failed: 2 } });
    await workThrough(id);
    expect(await progressOf(id)).toMatchObject({ state: "done", counts: { done: 1, failed: 2 } });
    await retryItems(owner, id, {});
    await workThrough(id);
    expect(await progressOf(id)).toMatchObject({ state: "done", counts: { done: 3, failed: 0 } });
    await expect(retryItems(owner, id, {})).rejects.toMatchObject({ code: "conflict" });
  });

  it("is tried again without the item that is being imported, whose claim remains", async () => {
    answer = () => ({ is: "failed", message: "Gone." });
    const id = await startedImport(2);
    await workOn(job(), id, kinds);
    const claimed = await claimNext(job(), id);
    await retryItems(owner, id, {});
    expect(await itemRows(id)).toMatchObject([
      { state: "waiting" },
      { state: "working", claim: claimed!.claim },
    ]);
    expect((await progressOf(id)).counts).toMatchObject({ failed: 0 });
  });
});

describe("pausing", () => {
  it("pauses the remaining items; those in progress finish and count", async () => {
    const id = await startedImport(3);
    const claimed = await claimNext(job(), id);
    await pauseImport(owner, id);
    await settle(job(), claimed!, { is: "done" });
    await workThrough(id);
    expect(worked).toEqual([]);
    expect(await progressOf(id)).toMatchObject({ state: "paused", counts: { done: 1 } });
    await watchImports(job());
    await resumeImport(owner, id);
    await workThrough(id);
    expect(await progressOf(id)).toMatchObject({ state: "done", counts: { done: 3 } });
  });

  it("stops a long item at its next step", async () => {
    let isPaused = false;
    kindOf(async (_ctx, { save }) => {
      if (!isPaused) {
        isPaused = true;
        await pauseImport(owner, id);
        expect(await save({ step: 1 })).toBe(false);
        return { is: "more" };
      }
      expect(await save({ step: 2 })).toBe(true);
      return { is: "done" };
    });
    const id = await startedImport(1);
    await workThrough(id);
    expect(await itemRows(id)).toMatchObject([{ state: "waiting", saved: { step: 1 } }]);
    await resumeImport(owner, id);
    await workThrough(id);
    expect(await progressOf(id)).toMatchObject({ state: "done" });
  });

  it.each([
    ["pause", pauseImport, "open"],
    ["resume", resumeImport, "running"],
    ["cancel", cancelImport, "done"],
    ["start", startImport, "cancelled"],
  ] as const)("%s is refused in other states", async (_name, command, state) => {
    const id = await openImport(1);
    await job().db.update(imports).set({ state }).where(eq(imports.id, id));
    await expect(command(owner, id)).rejects.toMatchObject({ code: "conflict" });
    expect((await readImport(owner, id)).state).toBe(state);
  });
});

describe("cancelling", () => {
  it("ends it permanently; imported items remain", async () => {
    const id = await startedImport(5);
    await workOn(job(), id, kinds);
    await cancelImport(owner, id);
    await workThrough(id);
    await watchImports(job());
    expect(worked).toEqual([1]);
    expect(await progressOf(id)).toMatchObject({ state: "cancelled", counts: { total: 5, done: 1 } });
    for (const command of [startImport, resumeImport, cancelImport])
      await expect(command(owner, id)).rejects.toMatchObject({ code: "conflict" });
    await expect(retryItems(owner, id, {})).rejects.toMatchObject({ code: "conflict" });
  });

  it("deletes with its items what does not run", async () => {
    const id = await startedImport(2);
    await expect(deleteImport(owner, id)).rejects.toMatchObject({ code: "conflict" });
    await cancelImport(owner, id);
    await deleteImport(owner, id);
    expect(await itemRows(id)).toEqual([]);
    await expect(readImport(owner, id)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a Worker that is killed", () => {
  it("leaves claims that lapse: the cron resumes, and no item is lost or imported twice", async () => {
    const id = await startedImport(6);
    for (let n = 0; n < 3; n++) await claimNext(job(), id);
    const { imports: queue, sent } = keptMessages();
    await watchImports(job({ imports: queue }));
    expect(sent).toHaveLength(AT_ONCE - 3);
    await lapseClaims(id);
    sent.length = 0;
    await watchImports(job({ imports: queue }));
    expect(sent).toHaveLength(AT_ONCE);
    await workThrough(id);
    expect(worked).toEqual([1, 1, 1, 1, 1, 1]);
    expect(await progressOf(id)).toMatchObject({ state: "done", counts: { done: 6 } });
  });

  it("whose item another consumer took writes nothing", async () => {
    const id = await startedImport(1);
    const lost = await claimNext(job(), id);
    await lapseClaims(id);
    const held = await claimNext(job(), id);
    expect(held?.id).toBe(lost?.id);
    await settle(job(), lost!, { is: "failed", message: "Late." });
    expect(await itemRows(id)).toMatchObject([{ state: "working", message: null }]);
    await settle(job(), held!, { is: "done" });
    expect((await progressOf(id)).counts).toMatchObject({ done: 1, failed: 0 });
  });

  it("at every attempt fails the item", async () => {
    const id = await startedImport(1);
    for (let n = 0; n < MAX_ATTEMPTS; n++) {
      await claimNext(job(), id);
      await lapseClaims(id);
    }
    await workThrough(id);
    expect(worked).toEqual([]);
    expect(await itemRows(id)).toMatchObject([
      { state: "failed", message: expect.stringContaining("interrupted") },
    ]);
  });

  it("before it could close an import leaves that to the watch", async () => {
    const id = await startedImport(1);
    await settle(job(), (await claimNext(job(), id))!, { is: "done" });
    expect(await progressOf(id)).toMatchObject({ state: "running" });
    await watchImports(job());
    expect(await progressOf(id)).toMatchObject({ state: "done" });
  });
});

describe("imports", () => {
  it("are visible to users who may import their kind", async () => {
    const id = await openImport(1);
    kinds["test"]!.capability = "audience";
    const editor = contextAs("editor");
    expect((await listImports(owner, { kind: "test" })).items[0]).toMatchObject({ id, state: "open" });
    expect((await listImports(editor, {})).items).toEqual([]);
    for (const command of [startImport, cancelImport, deleteImport, readImport])
      await expect(command(editor, id)).rejects.toMatchObject({ code: "forbidden" });
  });

  it("are deleted long after they ended, and sooner if never started; not while they run or are paused", async () => {
    const { db } = job();
    const ids = [await openImport(1), await openImport(1), await startedImport(1), await startedImport(1)];
    await db.update(imports).set({ state: "done" }).where(eq(imports.id, ids[0]!));
    await pauseImport(owner, ids[3]!);
    const left = async (days: number) => {
      await pruneImports(job({ now: new Date(Date.now() + days * 24 * 60 * MINUTE) }));
      const rows = await db.select({ id: imports.id }).from(imports);
      return ids.filter((id) => rows.some((row) => row.id === id));
    };
    expect(await left(13)).toEqual(ids);
    expect(await left(15)).toEqual([ids[0], ids[2], ids[3]]);
    expect(await left(91)).toEqual([ids[2], ids[3]]);
    expect(await db.select().from(importItems).where(eq(importItems.importId, ids[0]!))).toEqual([]);
  });
});
