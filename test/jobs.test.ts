import {
  createExecutionContext,
  createMessageBatch,
  createScheduledController,
  getQueueResult,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { consume, handlers, tick } from "#worker/jobs.ts";
import type { Context, JobMessage } from "#worker/platform/context.ts";
import {
  deliverOutbox,
  outboxBody,
  outboxRow,
  outboxRows,
  sweepOutbox,
  type Deliver,
} from "#worker/platform/work/outbox.ts";
import { deadLetters, outbox } from "#worker/platform/table.ts";
import { jobContext } from "./support/client.ts";

const MINUTE = 60_000;
const NOW = Date.parse("2026-03-01T00:00:00Z");
const { db } = jobContext();

let printed: string[] = [];

beforeEach(async () => {
  await db.delete(outbox);
  printed = [];
  vi.spyOn(console, "error").mockImplementation((line) => void printed.push(String(line)));
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => db.delete(outbox));

async function addRow(topic = "test", now = new Date()) {
  const { id, statement } = outboxRow(jobContext({ now }), topic, {});
  await statement;
  return id;
}

async function rowOf(id: string) {
  const [row] = await db.select().from(outbox).where(eq(outbox.id, id));
  if (!row) throw new Error(`There is no row ${id}.`);
  return row;
}

/** D1 refuses every write to one row while the work runs. */
async function whileUnwritable(id: string, work: () => Promise<void>) {
  await env.DB.exec(
    `create trigger unwritable before update on outbox when new.id = '${id}' begin select raise(abort, 'unwritable'); end`,
  );
  try {
    await work();
  } finally {
    await env.DB.exec("drop trigger unwritable");
  }
}

async function consumeRows(...ids: string[]) {
  const messages = ids.map((id) => ({
    id: `message of ${id}`,
    timestamp: new Date(),
    attempts: 1,
    body: { kind: "outbox", id } satisfies JobMessage,
  }));
  const batch = createMessageBatch<JobMessage>("rostrum-jobs", messages);
  const execution = createExecutionContext();
  await consume(batch, env, execution);
  return getQueueResult(batch, execution);
}

describe("a batch of messages", () => {
  const seen: Context[] = [];
  const record: Deliver = async (ctx) => void seen.push(ctx);

  beforeEach(() => {
    seen.length = 0;
    handlers["test"] = record;
    handlers["changing"] = async (ctx) => {
      seen.push(ctx);
      ctx.invalidation.isDue = true;
    };
    handlers["failing"] = () => Promise.reject(new Error("The mail server is away."));
  });
  afterEach(() => {
    for (const topic of ["test", "changing", "failing"]) delete handlers[topic];
  });

  it("retries the failed one, and acknowledges the others", async () => {
    const [first, second, third] = [await addRow(), await addRow(), await addRow()];
    await whileUnwritable(second, async () => {
      const result = await consumeRows(first, second, third);
      expect(result.explicitAcks).toEqual([`message of ${first}`, `message of ${third}`]);
      expect(result.retryMessages).toEqual([{ msgId: `message of ${second}` }]);
      expect(result).toMatchObject({ outcome: "ok", ackAll: false });
    });
    expect((await rowOf(first)).doneAt).not.toBeNull();
    expect(await rowOf(second)).toMatchObject({ doneAt: null, attempts: 0 });
    expect((await rowOf(third)).doneAt).not.toBeNull();
    const again = await consumeRows(second);
    expect(again.explicitAcks).toEqual([`message of ${second}`]);
    expect((await rowOf(second)).doneAt).not.toBeNull();
  });

  it("acknowledges a failed delivery: its row has the time of the next attempt", async () => {
    const [first, second] = [await addRow("failing"), await addRow()];
    const result = await consumeRows(first, second);
    expect(result.explicitAcks).toHaveLength(2);
    expect(await rowOf(first)).toMatchObject({ doneAt: null, attempts: 1, claimedUntil: null });
    expect((await rowOf(second)).doneAt).not.toBeNull();
  });

  it("gives each message its own clock, statement count and changes", async () => {
    handlers["slow"] = async (ctx) => {
      seen.push(ctx);
      await scheduler.wait(20);
    };
    await consumeRows(await addRow("slow"), await addRow("changing"), await addRow());
    delete handlers["slow"];
    const [slow, changing, last] = seen;
    expect(last!.now.getTime() - slow!.now.getTime()).toBeGreaterThanOrEqual(20);
    expect(seen.map(({ d1 }) => d1.statements)).toEqual([2, 2, 2]);
    expect([slow, changing, last].map((ctx) => ctx!.invalidation.isDue)).toEqual([false, true, false]);
  });

  it("of dead letters stores the others if one cannot be stored", async () => {
    const messages = ["one", null, "three"].map((name) => ({
      id: crypto.randomUUID(),
      timestamp: new Date(),
      attempts: 6,
      // Undefined is not JSON: D1 refuses a row without a body.
      body: (name === null ? undefined : { kind: "outbox", id: name }) as JobMessage,
    }));
    const batch = createMessageBatch<JobMessage>("second-site-dead-letters", messages);
    const execution = createExecutionContext();
    await consume(batch, env, execution);
    const result = await getQueueResult(batch, execution);
    expect(result.explicitAcks).toEqual([messages[0]!.id, messages[2]!.id]);
    expect(result.retryMessages).toEqual([{ msgId: messages[1]!.id }]);
    const stored = await db.select({ id: deadLetters.id }).from(deadLetters);
    expect(stored.map(({ id }) => id).toSorted()).toEqual([messages[0]!.id, messages[2]!.id].toSorted());
  });
});

describe("the minute's cron", () => {
  it("sweeps the outbox also if publishing fails, and reports the failure", async () => {
    const id = await addRow("test", new Date(Date.now() - MINUTE));
    const sent: string[] = [];
    vi.spyOn(env.JOBS, "sendBatch").mockImplementation(async (messages) => {
      sent.push(...Array.from(messages, ({ body }) => (body as JobMessage).id));
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
    });
    await env.DB.exec("alter table episodes rename to away");
    try {
      const controller = createScheduledController({ cron: "* * * * *", scheduledTime: new Date() });
      await expect(tick(controller, env, createExecutionContext())).rejects.toThrow(
        /^[1-3] of \d+ failed\.$/,
      );
    } finally {
      await env.DB.exec("alter table away rename to episodes");
    }
    expect(sent).toEqual([id]);
  });
});

it.each([
  ["paid", 250],
  ["free", 100],
] as const)("the sweep on the %s plan sends the lost messages of %i rows", async (plan, count) => {
  const ctx = jobContext();
  const bodies = outboxBody(ctx, {});
  const rows = outboxRows(
    { ...ctx, now: new Date(0) },
    "lost",
    Array.from({ length: 250 }, () => ({})),
    { bodyId: bodies.id },
  );
  await ctx.db.batch([bodies.statement, rows.statement]);
  const sent = new Set<string>();
  const jobs = {
    sendBatch: async (messages: Iterable<{ body: JobMessage }>) =>
      void Array.from(messages, ({ body }) => sent.add(body.id)),
  } as unknown as Context["jobs"];
  await sweepOutbox({ ...ctx, jobs, config: { ...ctx.config, plan } }, {});
  expect(rows.ids.filter((id) => sent.has(id))).toHaveLength(count);
  await ctx.db.delete(outbox).where(eq(outbox.topic, "lost"));
});

describe("a delivery that takes longer than its claim", () => {
  /** A transport that answers when the test resolves it. */
  function slowTransport() {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const deliver = vi.fn(() => promise);
    return { deliver, resolve, reject };
  }

  async function sweepAt(now: Date) {
    const sent: string[] = [];
    const jobs = {
      sendBatch: async (messages: Iterable<{ body: JobMessage }>) =>
        void sent.push(...Array.from(messages, ({ body }) => body.id)),
    } as unknown as Context["jobs"];
    await sweepOutbox(jobContext({ now, jobs }), {});
    return sent;
  }

  /** The sweep, and a message that arrives during the delivery. */
  async function otherConsumer(id: string, deliver: Deliver) {
    const now = new Date();
    const swept = await sweepAt(now);
    await deliverOutbox(jobContext({ now }), id, { test: deliver });
    return swept;
  }

  const claimOf = async (id: string) => (await rowOf(id)).claimedUntil?.getTime() ?? 0;

  /** Polls in real time; vi.waitUntil would advance the clock. */
  async function until(holds: () => Promise<boolean> | boolean) {
    for (let tries = 0; !(await holds()); tries++) {
      if (tries === 12_000) throw new Error(`It did not come true: ${String(holds)}`);
      await scheduler.wait(5);
    }
  }

  /** The clock and the timers that renew claims only advance when the test advances them. */
  beforeEach(() => {
    vi.useFakeTimers({ now: NOW, toFake: ["Date", "setInterval", "clearInterval"] });
  });
  afterEach(() => vi.useRealTimers());

  const liveContext = () => jobContext({ clock: () => new Date() });

  /** Advances the clock minute by minute, and waits until D1 has run what the timers start. */
  async function passMinutes(count: number, id: string) {
    for (let minute = 0; minute < count; minute++) {
      vi.advanceTimersByTime(MINUTE);
      await until(async () => (await claimOf(id)) > Date.now() + 4 * MINUTE);
    }
  }

  it("is renewed while it runs, and no other consumer delivers it", async () => {
    const id = await addRow();
    const { deliver, resolve } = slowTransport();
    const other = vi.fn(async () => {});
    const running = deliverOutbox(liveContext(), id, { test: deliver });
    await until(() => deliver.mock.calls.length > 0);
    const firstClaim = await claimOf(id);
    for (let passed = 0; passed < 12; passed++) {
      await passMinutes(1, id);
      expect(await otherConsumer(id, other)).toEqual([]);
    }
    expect(Date.now()).toBeGreaterThan(firstClaim);
    resolve();
    await running;
    expect(other).not.toHaveBeenCalled();
    expect(await rowOf(id)).toMatchObject({
      attempts: 1,
      doneAt: new Date(NOW + 12 * MINUTE),
      claimedUntil: null,
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("and fails is postponed from the time of its failure", async () => {
    const id = await addRow();
    const { deliver, reject } = slowTransport();
    const running = deliverOutbox(liveContext(), id, { test: deliver });
    await until(() => deliver.mock.calls.length > 0);
    await passMinutes(7, id);
    reject(new Error("The mail server is away."));
    await running;
    expect(await rowOf(id)).toMatchObject({ notBefore: new Date(NOW + 8 * MINUTE), claimedUntil: null });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("and is interrupted is resumed when its claim has lapsed", async () => {
    const id = await addRow();
    const { deliver, reject } = slowTransport();
    const cutOff = deliverOutbox(liveContext(), id, { test: deliver });
    await until(() => deliver.mock.calls.length > 0);
    await passMinutes(3, id);
    // An isolate ends with its timers.
    vi.clearAllTimers();
    const other = vi.fn(async () => {});
    vi.setSystemTime((await claimOf(id)) - 1);
    expect(await otherConsumer(id, other)).toEqual([]);
    expect(other).not.toHaveBeenCalled();
    vi.setSystemTime((await claimOf(id)) + 1);
    expect(await otherConsumer(id, other)).toEqual([id]);
    expect(other).toHaveBeenCalledOnce();
    const taken = await rowOf(id);
    expect(taken).toMatchObject({ attempts: 2, lastError: null });
    expect(taken.doneAt).not.toBeNull();
    // The consumer that lost the claim changes nothing.
    reject(new Error("The connection was lost."));
    await cutOff;
    expect(await rowOf(id)).toEqual(taken);
  });

  it("is not failed by the sweep while its last attempt runs", async () => {
    const id = await addRow();
    await db.update(outbox).set({ attempts: 7 }).where(eq(outbox.id, id));
    const { deliver, resolve } = slowTransport();
    const running = deliverOutbox(liveContext(), id, { test: deliver });
    await until(() => deliver.mock.calls.length > 0);
    await sweepAt(new Date());
    expect(await rowOf(id)).toMatchObject({ attempts: 8, failedAt: null });
    resolve();
    await running;
    expect(await rowOf(id)).toMatchObject({ doneAt: new Date(NOW), failedAt: null });
  });

  it("continues if one renewal fails", async () => {
    const id = await addRow();
    const { deliver, resolve } = slowTransport();
    const running = deliverOutbox(liveContext(), id, { test: deliver });
    await until(() => deliver.mock.calls.length > 0);
    await whileUnwritable(id, async () => {
      vi.advanceTimersByTime(MINUTE);
      await until(() => printed.length > 0);
    });
    expect(printed.join()).toContain("was not renewed");
    await passMinutes(1, id);
    resolve();
    await running;
    expect((await rowOf(id)).doneAt).toEqual(new Date(NOW + 2 * MINUTE));
  });
});
