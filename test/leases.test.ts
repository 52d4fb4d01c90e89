import { asc, eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { claimDue, storeOutcomes } from "#worker/letters/deliveries.ts";
import { isSliceOf, SLICE_TOPIC } from "#worker/letters/queue.ts";
import { pauseLetter, sendLetter } from "#worker/letters/sending-commands.ts";
import { sendSlice } from "#worker/letters/slices.ts";
import { deliveries } from "#worker/letters/table.ts";
import { watchLetters } from "#worker/letters/resume-interrupted.ts";
import { claimNext, importWork } from "#worker/imports/claims.ts";
import { settle } from "#worker/imports/settle-item.ts";
import { pauseImport } from "#worker/imports/import-commands.ts";
import { importKinds } from "#worker/imports/registry.ts";
import { importItems } from "#worker/imports/table.ts";
import { watchImports } from "#worker/imports/resume-interrupted.ts";
import { workOn } from "#worker/imports/work.ts";
import type { Context } from "#worker/platform/context.ts";
import { BusyError, deliverOutbox, outboxRow, sweepOutbox } from "#worker/platform/work/outbox.ts";
import { outbox } from "#worker/platform/table.ts";
import { CLAIM_MS, nextTry } from "#worker/platform/work/leases.ts";
import { jobContext, ownerContext } from "./support/client.ts";
import { killedAfter } from "./support/killed.ts";
import { forgetKind, itemRows, kindOf, progressOf, startedImport, still } from "./support/imports.ts";
import { RESEND_KEY, type Fault, type TakenMail } from "./support/resend-server.ts";
import { aLetterTo, rowOf, sendingContext, subscribed } from "./support/sending.ts";

const MINUTE = 60_000;
const COUNT = 3;

/** A row's state, whatever its table calls it. */
type State = "waiting" | "claimed" | "settled" | "uncertain";
type Row = { state: State; attempts: number; notBefore: Date };

/** A table of claimed work with `COUNT` rows, and its consumer. */
type Subject = {
  /** A context at this time after the start. */
  at: (milliseconds: number) => Context;
  /** The consumer of one queue message. */
  consume: (ctx: Context) => Promise<unknown>;
  /** The part of the minute's cron for this table. */
  watch: (ctx: Context) => Promise<unknown>;
  rows: () => Promise<Row[]>;
  /** How often each row's work was done, counted by the receiver. */
  done: () => Promise<number[]>;
  /** Makes the receiver busy for a minute, once. */
  makeBusy: () => Promise<unknown>;
};

/** How often the work of an interrupted row is done: letters have idempotency keys. */
type Guarantee = "once" | "at least once";

const start = Date.now();
const timeAfter = (milliseconds: number) => new Date(start + milliseconds);

async function outboxSubject(): Promise<Subject> {
  const counts = new Map<string, number>();
  let isBusy = false;
  const handlers = {
    test: async (_ctx: Context, payload: unknown) => {
      if (isBusy) {
        isBusy = false;
        throw new BusyError("Too many requests.", MINUTE);
      }
      const { key } = payload as { key: string };
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
  };
  const at = (milliseconds: number) => jobContext({ ...still, now: timeAfter(milliseconds) });
  await at(0).db.delete(outbox);
  const ids: string[] = [];
  for (let n = 0; n < COUNT; n++) {
    const { id, statement } = outboxRow(at(0), "test", { key: `k${n}` });
    await statement;
    ids.push(id);
  }
  const all = () =>
    at(0)
      .db.select()
      .from(outbox)
      .where(eq(outbox.topic, "test"))
      .orderBy(sql`${outbox.payload} ->> 'key'`);
  return {
    at,
    async consume(ctx) {
      for (const id of ids) await deliverOutbox(ctx, id, handlers);
    },
    watch: (ctx) => sweepOutbox(ctx, {}),
    rows: async () =>
      (await all()).map(({ doneAt, failedAt, claimedUntil, attempts, notBefore }) => ({
        state: doneAt || failedAt ? "settled" : claimedUntil ? "claimed" : "waiting",
        attempts,
        notBefore,
      })),
    done: async () => Array.from({ length: COUNT }, (_, n) => counts.get(`k${n}`) ?? 0),
    makeBusy: async () => void (isBusy = true),
  };
}

async function lettersSubject(): Promise<Subject> {
  const url = `http://127.0.0.1:${inject("resend")}/${crypto.randomUUID()}`;
  const at = (milliseconds: number) => {
    const ctx = sendingContext({ now: timeAfter(milliseconds) }, null);
    return { ...ctx, config: { ...ctx.config, resend: { key: RESEND_KEY, url } } };
  };
  const { domain, subscribers } = await subscribed(Array.from({ length: COUNT }, () => ({})));
  const { id } = await aLetterTo(domain);
  await sendLetter(at(0), id, {});
  const stateOf = { queued: "waiting", sending: "claimed", uncertain: "uncertain" } as const;
  return {
    at,
    async consume(ctx) {
      const slices = await jobContext().db.select().from(outbox).where(isSliceOf(id));
      for (const slice of slices) await deliverOutbox(ctx, slice.id, { [SLICE_TOPIC]: sendSlice });
    },
    async watch(ctx) {
      await sweepOutbox(ctx, {});
      await watchLetters(ctx);
    },
    rows: async () => {
      const rows = await jobContext()
        .db.select()
        .from(deliveries)
        .where(eq(deliveries.letterId, id))
        .orderBy(asc(deliveries.id));
      return rows.map(({ status, attempts, notBefore }) => ({
        state: (stateOf as Record<string, State>)[status] ?? "settled",
        attempts,
        notBefore,
      }));
    },
    async done() {
      const taken = await (await fetch(`${url}/taken`)).json<TakenMail[]>();
      return subscribers.map(({ email }) => taken.filter(({ to }) => to.includes(email)).length);
    },
    makeBusy: () =>
      fetch(`${url}/faults`, { method: "POST", body: JSON.stringify(["busy"] satisfies Fault[]) }),
  };
}

async function importsSubject(): Promise<Subject> {
  const counts = new Map<number, number>();
  let isBusy = false;
  kindOf(async (_ctx, { payload }) => {
    if (isBusy) {
      isBusy = false;
      return { is: "again", message: "The host is busy.", afterMs: MINUTE };
    }
    const { n } = payload as { n: number };
    counts.set(n, (counts.get(n) ?? 0) + 1);
    return { is: "done" };
  });
  const at = (milliseconds: number) => jobContext({ ...still, now: timeAfter(milliseconds) });
  const id = await startedImport(COUNT, ownerContext({ ...still, now: timeAfter(0) }));
  return {
    at,
    async consume(ctx) {
      for (let n = 0; n <= COUNT; n++) await workOn(ctx, id, importKinds);
    },
    watch: watchImports,
    rows: async () => {
      const rows = await at(0)
        .db.select()
        .from(importItems)
        .where(eq(importItems.importId, id))
        .orderBy(asc(importItems.id));
      return rows.map(({ state, attempts, notBefore }) => ({
        state: state === "waiting" ? "waiting" : state === "working" ? "claimed" : "settled",
        attempts,
        notBefore,
      }));
    },
    done: async () => Array.from({ length: COUNT }, (_, n) => counts.get(n) ?? 0),
    makeBusy: async () => void (isBusy = true),
  };
}

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));
afterEach(async () => {
  vi.restoreAllMocks();
  forgetKind();
  // Rows due in the future must not be delivered after this file's tests.
  await jobContext().db.delete(outbox);
});

const all = <T>(value: T) => Array.from({ length: COUNT }, () => value);
const statesOf = async ({ rows }: Subject) => (await rows()).map(({ state }) => state);

/** Runs the cron and a consumer each minute until every row is settled. Returns the number of minutes. */
async function workOff(subject: Subject, from = 0) {
  for (let minute = from; minute < from + 60; minute++) {
    const ctx = subject.at(minute * MINUTE);
    await subject.watch(ctx);
    await subject.consume(ctx);
    if ((await statesOf(subject)).every((state) => state === "settled" || state === "uncertain"))
      return minute;
  }
  throw new Error("It was not worked off in an hour.");
}

describe.each([
  ["the outbox", outboxSubject, "at least once"],
  ["the deliveries of a letter", lettersSubject, "once"],
  ["the items of an import", importsSubject, "at least once"],
] as [string, () => Promise<Subject>, Guarantee][])("claimed work: %s", (_name, make, guarantee) => {
  it("is done once, row by row", async () => {
    const subject = await make();
    await workOff(subject);
    expect(await statesOf(subject)).toEqual(all("settled"));
    expect(await subject.done()).toEqual(all(1));
  });

  it("is done once by two concurrent consumers", async () => {
    const subject = await make();
    await Promise.all([1, 2].map(() => subject.consume(subject.at(0))));
    await workOff(subject);
    expect(await subject.done()).toEqual(all(1));
  });

  it("survives an interruption between any two statements, and is resumed once its claim has lapsed", async () => {
    let isDead = true;
    for (let statements = 0; isDead; statements++) {
      if (statements === 60) throw new Error("The consumer asked for more than 60 statements.");
      const subject = await make();
      isDead = await killedAfter(statements, subject.at(0), subject.consume);
      const before = await subject.done();
      // No consumer takes over a claim before it lapses.
      const claimed = (await statesOf(subject)).flatMap((state, n) => (state === "claimed" ? [n] : []));
      await subject.watch(subject.at(CLAIM_MS - MINUTE));
      await subject.consume(subject.at(CLAIM_MS - 1));
      for (const n of claimed) expect((await subject.done())[n]).toBe(before[n]);
      await workOff(subject, 6);
      const done = await subject.done();
      expect(await statesOf(subject)).toEqual(all("settled"));
      for (const times of done) expect([1, ...(guarantee === "once" ? [] : [2])]).toContain(times);
      // At most the row that the interrupted consumer held is done again.
      expect(done.filter((times) => times > 1).length).toBeLessThanOrEqual(1);
    }
  });

  it("whose response was lost a day ago is not repeated if only an idempotency key would prevent a duplicate", async () => {
    for (let statements = 1; statements < 60; statements++) {
      const subject = await make();
      await killedAfter(statements, subject.at(0), subject.consume);
      const before = await subject.done();
      const lost = (await statesOf(subject)).flatMap((state, n) =>
        state === "claimed" && before[n] === 1 ? [n] : [],
      );
      if (lost.length === 0) continue;
      await workOff(subject, 25 * 60);
      const [states, done] = [await statesOf(subject), await subject.done()];
      for (const n of lost) {
        expect(states[n]).toBe(guarantee === "once" ? "uncertain" : "settled");
        expect(done[n]).toBe(guarantee === "once" ? 1 : 2);
      }
      return;
    }
    throw new Error("No answer was lost.");
  });

  it("waits as long as a busy receiver asks, and loses nothing", async () => {
    const subject = await make();
    await subject.makeBusy();
    await subject.consume(subject.at(0));
    expect(await statesOf(subject)).toContain("waiting");
    expect(await statesOf(subject)).not.toContain("claimed");
    await workOff(subject, 1);
    expect(await subject.done()).toEqual(all(1));
  });
});

it("the next attempt is 1, 2, 4 … minutes after a failure, and there is none after the last", () => {
  const now = timeAfter(0);
  const minutesAfter = (attempt: number) => {
    const next = nextTry(importWork, attempt, now);
    return next && (next.getTime() - now.getTime()) / MINUTE;
  };
  expect(importWork.maxAttempts).toBe(5);
  expect([1, 2, 3, 4, 5, 6].map(minutesAfter)).toEqual([1, 2, 4, 8, null, null]);
});

it("a claim is renewed while its work lasts longer than a claim, and no other consumer gets the row", async () => {
  // The renewals only run when the test advances the clock.
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  kindOf(async () => {
    begun.resolve();
    await release.promise;
    return { is: "done" };
  });
  const id = await startedImport(1);
  const claimedUntil = async () => (await itemRows(id))[0]!.notBefore.getTime();
  const running = workOn(jobContext({ ...still, clock: () => new Date() }), id, importKinds);
  await begun.promise;
  const first = await claimedUntil();
  while (Date.now() <= first) {
    const before = await claimedUntil();
    vi.advanceTimersByTime(2 * MINUTE);
    // In real time: vi.waitFor would advance the clock.
    for (let tries = 0; tries < 12_000 && (await claimedUntil()) === before; tries++) await scheduler.wait(5);
    expect(await claimedUntil()).toBeGreaterThan(before);
    expect(await claimNext(jobContext({ ...still, now: new Date() }), id)).toBeNull();
  }
  release.resolve();
  await running;
  expect(await progressOf(id)).toMatchObject({ state: "running", counts: { done: 1 } });
  expect(vi.getTimerCount()).toBe(0);
});

describe("a lapsed claim", () => {
  it("cannot be settled by its former consumer, whose counts change nothing: letters", async () => {
    const { domain } = await subscribed([{}]);
    const { id } = await aLetterTo(domain);
    await sendLetter(sendingContext(), id, {});
    const lost = (await claimDue(sendingContext(), id, 10))!;
    await jobContext().db.update(deliveries).set({ claim: "another" }).where(eq(deliveries.letterId, id));
    const outcome = { state: "sent", answer: "" } as const;
    await storeOutcomes(
      sendingContext(),
      id,
      lost.key,
      lost.claimed.map(({ id: delivery, attempts }) => ({ id: delivery, attempts, outcome })),
    );
    const { sent } = await rowOf(id);
    expect(sent).toBe(0);
    await pauseLetter(ownerContext(still), id);
    expect(await claimDue(sendingContext(), id, 10)).toBeNull();
  });

  it("cannot be settled by its former consumer: a row of the outbox that the owner retried", async () => {
    const release = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const ctx = jobContext(still);
    const { id, statement } = outboxRow(ctx, "slow", {});
    await statement;
    const slow = deliverOutbox(ctx, id, {
      slow: async () => {
        begun.resolve();
        await release.promise;
      },
    });
    await begun.promise;
    // Its claim lapsed, it failed, and the owner retries it as new.
    await ctx.db.update(outbox).set({ claimedUntil: null, attempts: 0 }).where(eq(outbox.id, id));
    const rows = () => ctx.db.select().from(outbox).where(eq(outbox.id, id));
    await deliverOutbox(jobContext(still), id, {
      slow: async () => {
        release.resolve();
        await slow;
        expect(await rows()).toMatchObject([{ doneAt: null, claimedUntil: expect.any(Date) }]);
        throw new Error("The mail server is away.");
      },
    });
    expect(await rows()).toMatchObject([{ doneAt: null, attempts: 1 }]);
  });

  it("cannot be settled by its former consumer, whose counts change nothing: imports", async () => {
    kindOf(async () => ({ is: "done" }));
    const id = await startedImport(1);
    const lost = (await claimNext(jobContext(still), id))!;
    await settle(jobContext(still), { ...lost, claim: "another" }, { is: "pause", message: "Paused." });
    const { state } = await progressOf(id);
    expect(state).toBe("running");
    await pauseImport(ownerContext(still), id);
    expect(await claimNext(jobContext(still), id)).toBeNull();
  });
});
