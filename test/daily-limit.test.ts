import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq, inArray } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { recordEvents } from "#worker/analytics/commands.ts";
import { analyticsBatches, analyticsEvents } from "#worker/analytics/table.ts";
import { importWork } from "#worker/imports/claims.ts";
import { workOn } from "#worker/imports/work.ts";
import { consume } from "#worker/jobs.ts";
import { createContext, type JobMessage } from "#worker/platform/context.ts";
import { isOverDailyLimit, untilNextDay } from "#worker/platform/data/daily-limit.ts";
import { freeBounds } from "#worker/platform/plan-limits.ts";
import { clearCache } from "#worker/platform/http/cache.ts";
import { outbox } from "#worker/platform/table.ts";
import { deliverOutbox, outboxRow } from "#worker/platform/work/outbox.ts";
import { anAddress, anEvent, BROWSER, queued, sendAtOnce } from "./support/analytics.ts";
import { ask, WITH_CACHE } from "./support/cached.ts";
import { jobContext, ownerContext, signedIn, visitorContext } from "./support/client.ts";
import { aMessage, errorOf, forms, postForm, postJson, rowsOf } from "./support/forms.ts";
import { forgetKind, itemRows, kindOf, startedImport, still } from "./support/imports.ts";
import { usedUpDatabase } from "./support/used-up.ts";

const HOUR = 3_600_000;
const WITHOUT_WRITES = { DB: usedUpDatabase("write") };
const WITHOUT_READS = { DB: usedUpDatabase("read") };
const MESSAGE =
  "This site has reached its limit for today, so this didn’t work and nothing was saved. Please try again after midnight UTC.";
const NOT_SHOWN =
  "This site has reached its limit for today, so it can’t show this. Please try again after midnight UTC.";
const { db } = jobContext();

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The clock, a given time before midnight UTC. */
const beforeMidnight = (ms: number) =>
  vi.useFakeTimers({ now: Date.parse("2030-05-02T00:00:00Z") - ms, toFake: ["Date"] });

describe("the next day", () => {
  it("begins at midnight UTC, and waiting work begins within its first ten minutes", () => {
    const waits = Array.from({ length: 100 }, () => untilNextDay(new Date("2030-05-01T21:30:00Z")));
    for (const wait of waits) {
      expect(wait).toBeGreaterThanOrEqual(2.5 * HOUR);
      expect(wait).toBeLessThanOrEqual(2.5 * HOUR + 600_000);
    }
    expect(new Set(waits).size).toBeGreaterThan(50);
  });

  it("is not awaited after another error of D1", () => {
    expect(isOverDailyLimit(new Error("D1_ERROR: no such table: outbox: SQLITE_ERROR"))).toBe(false);
    expect(isOverDailyLimit(new Error("D1 DB is overloaded. Too many requests queued."))).toBe(false);
  });
});

describe("a form, once the day's rows are used up", () => {
  for (const [name, bindings] of Object.entries({ writes: WITHOUT_WRITES, reads: WITHOUT_READS })) {
    it(`is refused with 503 and the time until midnight, and saves nothing (${name})`, async () => {
      beforeMidnight(5 * HOUR);
      const message = aMessage();
      const answer = await postJson(forms.message.path, message, { bindings });
      expect(answer.status).toBe(503);
      const seconds = Number(answer.headers.get("Retry-After"));
      expect(seconds).toBeGreaterThanOrEqual(5 * 3600);
      expect(seconds).toBeLessThanOrEqual(5 * 3600 + 600);
      expect(await errorOf(answer)).toEqual({ code: "unavailable", message: MESSAGE });
      vi.useRealTimers();
      expect(await rowsOf(message.email)).toEqual([]);
    });

    it(`shows what was typed to a browser without scripts (${name})`, async () => {
      const message = aMessage({ message: "A long letter, <b>typed</b> by hand." });
      const answer = await postForm(forms.message.path, { form: "contact", ...message }, { bindings });
      expect(answer.status).toBe(503);
      expect(answer.headers.get("Cache-Control")).toBe("no-store");
      const page = await answer.text();
      expect(page).toContain(MESSAGE);
      expect(page).toContain("A long letter, &lt;b&gt;typed&lt;/b&gt; by hand.");
      expect(page).toContain(message.email);
      expect(page).not.toContain("shownAt</dt>");
    });
  }
});

describe("a page, once the day's reads are used up", () => {
  it("is given as cached, also in a new isolate", async () => {
    const { body } = await ask("/essays");
    clearCache();
    const answer = await ask("/essays", {}, { ...WITH_CACHE, ...WITHOUT_READS } as Env);
    expect(answer.response.status).toBe(200);
    expect(answer).toMatchObject({ way: "stale", body });
  });

  it("of the admin area says so, as a page and as data", async () => {
    const { cookie } = await signedIn("admin");
    for (const [path, accept] of [
      ["/admin/articles", "text/html,*/*;q=0.8"],
      ["/admin/articles.data", "*/*"],
    ] as const) {
      const { response, body } = await ask(path, { headers: { Cookie: cookie, Accept: accept } }, {
        ...WITH_CACHE,
        ...WITHOUT_READS,
      } as Env);
      expect(response.status).toBe(503);
      expect(response.headers.get("Content-Type")).toMatch(
        accept.startsWith("text/html") ? "text/html" : "json",
      );
      expect(body).toContain(NOT_SHOWN);
      expect(body).not.toContain("nothing was saved");
    }
  });

  it("that was never cached is refused with an error", async () => {
    clearCache();
    const bindings = { ...WITH_CACHE, ...WITHOUT_READS } as Env;
    const { response, way } = await ask("/podcast?page=7", {}, bindings);
    expect(response.status).toBeGreaterThanOrEqual(500);
    expect(way).not.toBe("hit");
  });
});

const messagesOf = <Body>(...bodies: Body[]) =>
  bodies.map((body, index) => ({ id: `message-${index}`, timestamp: new Date(), attempts: 1, body }));

/** The delays with which the consumer returns messages to their queue. The runner's own batch does not keep them. */
async function retriesOf(queue: string, bodies: ReturnType<typeof messagesOf>, bindings: object) {
  const delays: (number | undefined)[] = [];
  const retry = (options?: QueueRetryOptions) => void delays.push(options?.delaySeconds);
  const messages = bodies.map((message) => ({ ...message, ack: () => {}, retry }));
  const batch = { queue, messages } as unknown as MessageBatch<JobMessage>;
  await consume(batch, { ...env, ...bindings } as unknown as Env, createExecutionContext());
  return delays;
}

describe("a queue message, once the day's rows are used up", () => {
  for (const queue of ["rostrum-jobs", "rostrum-dead-letters"])
    it(`of ${queue} waits for the next day`, async () => {
      beforeMidnight(3 * HOUR);
      const messages = messagesOf<JobMessage>({ kind: "outbox", id: "a-row" });
      const [delay] = await retriesOf(queue, messages, WITHOUT_WRITES);
      expect(delay).toBeGreaterThanOrEqual(3 * 3600);
      expect(delay).toBeLessThanOrEqual(3 * 3600 + 600);
    });

  it("with counted visits waits for the next day, and is stored then", async () => {
    sendAtOnce();
    const [event] = await queued([anEvent()]);
    beforeMidnight(20 * HOUR);
    // The queue's longest delay; the second one reaches midnight.
    expect(await retriesOf("rostrum-events", messagesOf(event), WITHOUT_WRITES)).toEqual([43_200]);
    vi.useRealTimers();
    expect(await retriesOf("rostrum-events", messagesOf(event), {})).toEqual([]);
    const stored = await db.select().from(analyticsBatches).where(eq(analyticsBatches.id, event!.id));
    expect(stored).toHaveLength(1);
  });

  it("with counted visits is stored together with the others after two such waits", async () => {
    sendAtOnce();
    const events = (await Promise.all(Array.from({ length: 30 }, () => queued([anEvent()])))).flat();
    const messages = messagesOf(...events).map((message) => ({ ...message, attempts: 3 }));
    let statements = 0;
    const DB = usedUpDatabase("write", () => {
      statements++;
      return false;
    });
    expect(await retriesOf("rostrum-events", messages, { DB })).toEqual([]);
    const ids = events.map(({ id }) => id);
    expect(await db.$count(analyticsBatches, inArray(analyticsBatches.id, ids))).toBe(events.length);
    expect(statements).toBeGreaterThan(0);
    expect(statements).toBeLessThanOrEqual(freeBounds.queries.amount);
  });

  it("after another error keeps the queue's own delay", async () => {
    const broken = {
      DB: {
        withSession: () => ({
          prepare: () => {
            throw new Error("broken");
          },
        }),
      },
    };
    const messages = messagesOf<JobMessage>({ kind: "outbox", id: "a-row" });
    expect(await retriesOf("rostrum-jobs", messages, broken)).toEqual([undefined]);
  });
});

describe("a delivery that used up the day's rows", () => {
  it("is repeated on the next day, and the attempt does not count", async () => {
    const now = new Date("2030-05-01T12:00:00Z");
    const ctx = jobContext({ now, clock: () => now });
    const { id, statement } = outboxRow(ctx, "test", {});
    await statement;
    const fails = async () => {
      await WITHOUT_WRITES.DB.withSession("first-primary").prepare("delete from outbox").run();
    };
    await deliverOutbox(ctx, id, { test: fails });
    const [row] = await db.select().from(outbox).where(eq(outbox.id, id));
    expect(row).toMatchObject({ attempts: 0, failedAt: null, doneAt: null, claimedUntil: null });
    expect(row!.notBefore.getTime()).toBeGreaterThanOrEqual(Date.parse("2030-05-02T00:00:00Z"));
    expect(row!.notBefore.getTime()).toBeLessThanOrEqual(Date.parse("2030-05-02T00:10:00Z"));
  });
});

/** D1 whose writes are used up from the moment that `useUp` is called until `nextDay` is. */
function aDay() {
  let now = new Date("2030-05-01T12:00:00Z");
  let isUsedUp = false;
  const DB = usedUpDatabase("write", () => isUsedUp);
  const { db: limited } = createContext({ ...env, DB } as Env, { actor: { kind: "job", name: "test" } });
  return {
    context: () => jobContext({ ...still, db: limited, now, clock: () => now }),
    async useUp() {
      isUsedUp = true;
      await limited.delete(outbox).where(eq(outbox.id, "none"));
    },
    pass: (ms: number) => void (now = new Date(now.getTime() + ms)),
    nextDay() {
      isUsedUp = false;
      now = new Date(now.getTime() + 24 * HOUR);
    },
  };
}

describe("a delivery that D1 cannot even release", () => {
  it("loses one attempt on that day, however often it is tried, and is delivered on the next", async () => {
    const day = aDay();
    const { id, statement } = outboxRow(day.context(), "test", {});
    await statement;
    const row = async () => (await db.select().from(outbox).where(eq(outbox.id, id)))[0]!;
    for (let tries = 0; tries < 3; tries++) {
      const delivery = deliverOutbox(day.context(), id, { test: day.useUp });
      await expect(delivery).rejects.toSatisfy(isOverDailyLimit);
      expect(await row()).toMatchObject({ attempts: 1, failedAt: null, doneAt: null });
      day.pass(HOUR);
    }
    day.nextDay();
    await deliverOutbox(day.context(), id, { test: () => Promise.resolve() });
    expect(await row()).toMatchObject({ attempts: 2, doneAt: expect.any(Date) });
  });
});

describe("an item of an import that used up the day's rows", () => {
  afterEach(() => void forgetKind());

  it("is repeated on the next day, and the attempt does not count", async () => {
    let isOver = true;
    const kinds = kindOf(async () => {
      if (isOver) await WITHOUT_WRITES.DB.withSession("first-primary").prepare("delete from outbox").run();
      return { is: "done" };
    });
    const day = aDay();
    const id = await startedImport(1, ownerContext({ ...still, now: day.context().now }));
    for (let days = 0; days <= importWork.maxAttempts; days++) {
      await workOn(day.context(), id, kinds);
      const [item] = await itemRows(id);
      expect(item).toMatchObject({
        state: "waiting",
        attempts: 0,
        message: expect.stringContaining("It continues after midnight UTC."),
      });
      expect(item!.notBefore.getTime() - day.context().now.getTime()).toBeGreaterThanOrEqual(12 * HOUR);
      day.nextDay();
    }
    isOver = false;
    await workOn(day.context(), id, kinds);
    expect(await itemRows(id)).toMatchObject([{ state: "done" }]);
  });

  it("loses one attempt if D1 cannot even release it", async () => {
    const day = aDay();
    const kinds = kindOf(async () => {
      await day.useUp();
      return { is: "done" };
    });
    const id = await startedImport(1, ownerContext({ ...still, now: day.context().now }));
    for (let tries = 0; tries < 3; tries++) {
      await expect(workOn(day.context(), id, kinds)).rejects.toSatisfy(isOverDailyLimit);
      expect(await itemRows(id)).toMatchObject([{ state: "working", attempts: 1 }]);
      day.pass(HOUR);
    }
    day.nextDay();
    await workOn(
      day.context(),
      id,
      kindOf(() => Promise.resolve({ is: "done" })),
    );
    expect(await itemRows(id)).toMatchObject([{ state: "done" }]);
  });
});

describe("visits, once the day's queue operations are used up", () => {
  it("are stored without the queue", async () => {
    sendAtOnce();
    const send = vi.fn<() => Promise<never>>(() => Promise.reject(new Error("Too many operations.")));
    const work: Promise<unknown>[] = [];
    const ctx = visitorContext({
      client: { address: anAddress(), userAgent: BROWSER },
      events: { send } as never,
      later: (promise) => void work.push(promise),
    });
    const before = await db.$count(analyticsEvents);
    await recordEvents(ctx, { events: [anEvent()] } as never, { isOptedOut: false });
    for (const promise of work) await promise;
    expect(send).toHaveBeenCalled();
    expect(await db.$count(analyticsEvents)).toBe(before + 1);
  });
});
