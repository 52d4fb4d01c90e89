import {
  createExecutionContext,
  createMessageBatch,
  createScheduledController,
  getQueueResult,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { JobMessage } from "#worker/platform/context.ts";
import { consume, tick } from "#worker/jobs.ts";
import { MAIL_TOPIC, mailRow, type Mail, type MailPart } from "#worker/mail/message.ts";
import { deliverMail } from "#worker/mail/transports.ts";
import { listMails, readMail } from "#worker/mail/log.ts";
import {
  BusyError,
  deliverOutbox,
  outboxRow,
  pruneOutbox,
  sweepOutbox,
  enqueue,
  type Deliver,
} from "#worker/platform/work/outbox.ts";
import { deadLetters, outbox } from "#worker/platform/table.ts";
import { contextAs, jobContext, ownerContext, visitorContext } from "./support/client.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 86_400_000;
const NOW = Date.parse("2026-03-01T00:00:00Z");
const db = jobContext().db;

const at = (time: number) => jobContext({ now: new Date(time) });

const words: MailPart[] = ["Hello.", { label: "Open", href: "https://example.com/open?a=1&b=2" }, "Goodbye."];

/** Writes an email at a time without sending its queue message, as if that had been lost. */
async function write({
  to = "reader@example.com",
  subject = "A subject",
  parts = words,
  time = Date.now(),
} = {}) {
  const { id, statement } = mailRow(at(time), { to, subject, parts });
  await statement;
  return id;
}

async function rowOf(id: string) {
  const [row] = await db.select().from(outbox).where(eq(outbox.id, id));
  if (!row) throw new Error(`There is no row ${id}.`);
  return row;
}

const mailOf = async (id: string) => (await rowOf(id)).payload as Mail;

/** Collects the messages that work sends to the queue. */
function queue() {
  const sent: string[] = [];
  const jobs = {
    send: vi.fn(),
    sendBatch: async (messages: Iterable<{ body: JobMessage }>) => {
      sent.push(...Array.from(messages, ({ body }) => body.id));
    },
  };
  return { sent, jobs: jobs as unknown as ReturnType<typeof jobContext>["jobs"] };
}

async function sweepAt(time: number) {
  const { sent, jobs } = queue();
  await sweepOutbox({ ...at(time), jobs }, {});
  return sent;
}

async function consumeMessages(name: string, ...bodies: unknown[]) {
  const messages = bodies.map((body) => ({
    id: crypto.randomUUID(),
    timestamp: new Date(),
    attempts: 1,
    body,
  }));
  const batch = createMessageBatch<JobMessage>(name, messages as never);
  const execution = createExecutionContext();
  await consume(batch, env, execution);
  return { messages, result: await getQueueResult(batch, execution) };
}

let log = vi.spyOn(console, "log");
const lines = () => log.mock.calls.map(([line]) => String(line));

beforeEach(async () => {
  await db.delete(outbox);
  log = vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

describe("an email", () => {
  it("has a text and an HTML part with the same text, and a Message-ID", async () => {
    const mail = await mailOf(await write());
    expect(mail.text).toBe("Hello.\n\nOpen:\nhttps://example.com/open?a=1&b=2\n\nGoodbye.\n");
    expect(mail.html).toContain('href="https://example.com/open?a=1&#38;b=2"');
    expect(mail.html).toContain("Goodbye.");
    expect(mail.messageId).toMatch(/^<[\w-]+@localhost>$/);
  });

  it("escapes user input", async () => {
    const mail = await mailOf(await write({ subject: "<b>", parts: ['<script>alert("1")</script>'] }));
    expect(mail.html).not.toContain("<script>");
    expect(mail.html).not.toContain("<b>");
  });

  it("contains an invitation of a bounded length, which its page in the admin area shows", async () => {
    const { id, statement } = mailRow(at(NOW), {
      to: "reader@example.com",
      subject: "A",
      parts: words,
      invitation: "BEGIN:VCALENDAR",
    });
    await statement;
    expect(await readMail(ownerContext(), id)).toMatchObject({ content: { invitation: "BEGIN:VCALENDAR" } });
    const invitation = "x".repeat(20_001);
    expect(() =>
      mailRow(at(NOW), { to: "reader@example.com", subject: "A", parts: words, invitation }),
    ).toThrow("too long");
  });

  it("has its subject on one line, so that it cannot add headers", async () => {
    const mail = await mailOf(await write({ subject: "Hello\r\nBcc: all@example.com\u2028[mail] to=x" }));
    expect(mail.subject).toBe("Hello Bcc: all@example.com [mail] to=x");
  });

  it.each([
    "a@example.com\nBcc: b@example.com",
    "a@example.com, b@example.com",
    '"a b"@example.com',
    "a",
    "A <a@x.au>",
  ])("is not sent to %j", (to) => {
    expect(() => mailRow(jobContext(), { to, subject: "s", parts: [] })).toThrow("one plain address");
  });
});

describe("the outbox transport", () => {
  it("prints one line with address, subject and first link, and marks the email as sent", async () => {
    const id = await write();
    await deliverOutbox(jobContext(), id, { [MAIL_TOPIC]: deliverMail });
    expect(lines()).toEqual([
      '[mail] to=reader@example.com subject="A subject" link=https://example.com/open?a=1&b=2',
    ]);
    expect((await rowOf(id)).doneAt).not.toBeNull();
  });

  it("escapes quotes in a printed subject", async () => {
    const id = await write({ subject: 'A" link=https://evil.example "' });
    await deliverOutbox(jobContext(), id, { [MAIL_TOPIC]: deliverMail });
    expect(lines()).toEqual([
      '[mail] to=reader@example.com subject="A\\" link=https://evil.example \\"" link=https://example.com/open?a=1&b=2',
    ]);
  });

  it("prints the email's own first link, not one typed into a name", async () => {
    const id = await write({ parts: ["Dear https://evil.example", ...words] });
    await deliverOutbox(jobContext(), id, { [MAIL_TOPIC]: deliverMail });
    expect(lines()[0]).toMatch(/ link=https:\/\/example\.com\/open\?a=1&b=2$/);
  });
});

describe("the queue", () => {
  it("delivers the row that a message names and acknowledges it", async () => {
    const id = await write();
    const { messages, result } = await consumeMessages("rostrum-jobs", { kind: "outbox", id });
    expect(result.explicitAcks).toEqual(messages.map((message) => message.id));
    expect((await rowOf(id)).doneAt).not.toBeNull();
    expect(lines()).toHaveLength(1);
  });

  it("delivers a message once that arrives twice", async () => {
    const id = await write();
    await consumeMessages("rostrum-jobs", { kind: "outbox", id }, { kind: "outbox", id });
    await consumeMessages("rostrum-jobs", { kind: "outbox", id });
    expect(lines()).toHaveLength(1);
  });

  it("acknowledges a message whose row was deleted", async () => {
    const { result } = await consumeMessages("rostrum-jobs", { kind: "outbox", id: "gone" });
    expect(result.explicitAcks).toHaveLength(1);
  });

  it("delivers enqueued rows through the Worker itself", async () => {
    const id = await write();
    const work: Promise<unknown>[] = [];
    enqueue(jobContext({ later: (promise) => void work.push(promise) }), id);
    await Promise.all(work);
    await vi.waitFor(async () => expect((await rowOf(id)).doneAt).not.toBeNull(), { timeout: 60_000 });
  });

  it("that refuses messages leaves the email to the sweep", async () => {
    const id = await write();
    const work: Promise<unknown>[] = [];
    const jobs = { sendBatch: () => Promise.reject(new Error("full")) } as never;
    enqueue(jobContext({ jobs, later: (promise) => void work.push(promise) }), id);
    await Promise.all(work);
    expect(await sweepAt(Date.now() + MINUTE)).toEqual([id]);
  });

  it("stores a message that failed all its retries, once", async () => {
    const body = { kind: "outbox", id: crypto.randomUUID() };
    const message = { id: crypto.randomUUID(), timestamp: new Date(), attempts: 6, body };
    for (let i = 0; i < 2; i++) {
      const batch = createMessageBatch<JobMessage>("rostrum-dead-letters", [message] as never);
      await consume(batch, env, createExecutionContext());
    }
    expect(await db.select().from(deadLetters).where(eq(deadLetters.id, message.id))).toMatchObject([
      { body },
    ]);
  });
});

describe("the sweep", () => {
  it("finds an email whose message was lost", async () => {
    const id = await write({ time: NOW });
    expect(await sweepAt(NOW + 10_000)).toEqual([]);
    expect(await sweepAt(NOW + MINUTE)).toEqual([id]);
  });

  it("runs each minute and has the email delivered", async () => {
    const id = await write({ time: Date.now() - MINUTE });
    const execution = createExecutionContext();
    await tick(createScheduledController({ cron: "* * * * *", scheduledTime: new Date() }), env, execution);
    await waitOnExecutionContext(execution);
    await vi.waitFor(async () => expect((await rowOf(id)).doneAt).not.toBeNull(), { timeout: 60_000 });
  });

  it("skips rows that are delivered, failed, or being delivered", async () => {
    const past = new Date(NOW - DAY);
    for (const state of [{ doneAt: past }, { failedAt: past }, { claimedUntil: new Date(NOW + MINUTE) }]) {
      const id = await write({ time: NOW - DAY });
      await db.update(outbox).set(state).where(eq(outbox.id, id));
    }
    expect(await sweepAt(NOW)).toEqual([]);
  });

  it("finds an email again whose delivery was interrupted", async () => {
    const id = await write({ time: NOW - DAY });
    await db
      .update(outbox)
      .set({ attempts: 1, claimedUntil: new Date(NOW - 1) })
      .where(eq(outbox.id, id));
    expect(await sweepAt(NOW)).toEqual([id]);
  });

  it("fails an email whose delivery was interrupted at every attempt", async () => {
    const id = await write({ time: NOW - DAY });
    await db
      .update(outbox)
      .set({ attempts: 8, claimedUntil: new Date(NOW - 1) })
      .where(eq(outbox.id, id));
    expect(await sweepAt(NOW)).toEqual([]);
    expect(await rowOf(id)).toMatchObject({
      failedAt: new Date(NOW),
      lastError: expect.stringContaining("interrupted"),
    });
  });
});

describe("a delivery", () => {
  const failing: Deliver = () => Promise.reject(new Error("The mail server is away."));

  async function addRow() {
    const { id, statement } = outboxRow(at(NOW), "test", {});
    await statement;
    return id;
  }

  it("that fails is postponed longer each time, and given up after the eighth attempt", async () => {
    const id = await addRow();
    let now = NOW;
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt++) {
      await deliverOutbox(at(now), id, { test: failing });
      const row = await rowOf(id);
      expect(row).toMatchObject({
        attempts: attempt,
        lastError: "Error: The mail server is away.",
        doneAt: null,
      });
      expect(row.failedAt === null).toBe(attempt < 8);
      if (row.failedAt === null) waits.push((row.notBefore.getTime() - now) / MINUTE);
      now = row.notBefore.getTime();
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64]);
    const deliver = vi.fn();
    await deliverOutbox(at(now + DAY), id, { test: deliver });
    expect(deliver).not.toHaveBeenCalled();
  });

  it("waits as long as a busy receiver asks, and fails if that continues for days", async () => {
    const id = await addRow();
    const busy =
      (ms: number): Deliver =>
      () =>
        Promise.reject(new BusyError("Too many requests.", ms));
    let now = NOW;
    for (let times = 0; times < 20; times++) {
      await deliverOutbox(at(now), id, { test: busy(HOUR) });
      expect(await rowOf(id)).toMatchObject({
        attempts: 0,
        notBefore: new Date(now + HOUR),
        claimedUntil: null,
        failedAt: null,
      });
      now += HOUR;
    }
    // At most two days in total, whatever the receiver asks.
    await deliverOutbox(at(now), id, { test: busy(400 * DAY) });
    expect((await rowOf(id)).notBefore).toEqual(new Date(NOW + 2 * DAY));
    for (let attempt = 1; attempt <= 8; attempt++) {
      now = (await rowOf(id)).notBefore.getTime();
      await deliverOutbox(at(now), id, { test: busy(1000) });
      expect(await rowOf(id)).toMatchObject({
        attempts: attempt,
        failedAt: attempt < 8 ? null : new Date(now),
      });
    }
  });

  it("to a busy receiver that names no time counts as an attempt", async () => {
    const id = await addRow();
    const busy: Deliver = () => Promise.reject(new BusyError("Not now.", null));
    await deliverOutbox(at(NOW), id, { test: busy });
    expect(await rowOf(id)).toMatchObject({ attempts: 1, notBefore: new Date(NOW + MINUTE) });
  });

  it("does not fail at its last attempt if the receiver is busy", async () => {
    const id = await addRow();
    await db.update(outbox).set({ attempts: 7 }).where(eq(outbox.id, id));
    const busy: Deliver = () => Promise.reject(new BusyError("Not now.", 3000));
    await deliverOutbox(at(NOW), id, { test: busy });
    expect(await rowOf(id)).toMatchObject({
      attempts: 7,
      notBefore: new Date(NOW + 3000),
      failedAt: null,
    });
  });

  it("is not attempted a ninth time if the eighth was interrupted, and its message comes before the sweep", async () => {
    const id = await addRow();
    const interrupted = { attempts: 8, claimedUntil: new Date(NOW - 1) };
    await db.update(outbox).set(interrupted).where(eq(outbox.id, id));
    const deliver = vi.fn();
    await deliverOutbox(at(NOW), id, { test: deliver });
    expect(deliver).not.toHaveBeenCalled();
    expect(await rowOf(id)).toMatchObject({ ...interrupted, doneAt: null });
  });

  it("is not attempted before it is due", async () => {
    const id = await addRow();
    await deliverOutbox(at(NOW), id, { test: failing });
    const deliver = vi.fn();
    await deliverOutbox(at(NOW + MINUTE - 1), id, { test: deliver });
    expect(deliver).not.toHaveBeenCalled();
    await deliverOutbox(at(NOW + MINUTE), id, { test: deliver });
    expect(deliver).toHaveBeenCalledOnce();
    expect((await rowOf(id)).doneAt).toEqual(new Date(NOW + MINUTE));
  });

  it("that is requested three times concurrently happens once", async () => {
    const id = await addRow();
    const deliver = vi.fn(() => Promise.resolve());
    await Promise.all([1, 2, 3].map(() => deliverOutbox(at(NOW), id, { test: deliver })));
    expect(deliver).toHaveBeenCalledOnce();
  });

  it("of a topic without a handler fails with that reason", async () => {
    const id = await addRow();
    await deliverOutbox(at(NOW), id, {});
    expect((await rowOf(id)).lastError).toContain('No handler for the topic "test"');
  });
});

describe("the daily prune", () => {
  it("deletes rows that were delivered or failed more than thirty days ago, and no others", async () => {
    const long = new Date(NOW - 31 * DAY);
    const lately = new Date(NOW - 29 * DAY);
    const states = {
      doneLong: { doneAt: long },
      failedLong: { failedAt: long },
      doneLately: { doneAt: lately },
      open: {},
    };
    const ids: Record<string, string> = {};
    for (const [name, state] of Object.entries(states)) {
      ids[name] = await write({ time: long.getTime() });
      await db
        .update(outbox)
        .set({ attempts: 1, ...state })
        .where(eq(outbox.id, ids[name]));
    }
    await pruneOutbox(at(NOW));
    const left = (await db.select({ id: outbox.id }).from(outbox)).map(({ id }) => id);
    expect(left.toSorted()).toEqual([ids.doneLately, ids.open].toSorted());
  });

  it("runs with the daily cron", async () => {
    const id = await write({ time: NOW });
    await db
      .update(outbox)
      .set({ doneAt: new Date(NOW) })
      .where(eq(outbox.id, id));
    const controller = createScheduledController({
      cron: "17 3 * * *",
      scheduledTime: new Date(NOW + 31 * DAY),
    });
    const execution = createExecutionContext();
    await tick(controller, env, execution);
    await waitOnExecutionContext(execution);
    expect(await db.select().from(outbox).where(eq(outbox.id, id))).toEqual([]);
  });
});

describe("reading emails", () => {
  it("lists them newest first with their state, page by page, without duplicates", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 103; i++)
      ids.push(await write({ subject: `Mail ${i}`, time: NOW + Math.floor(i / 10) }));
    await outboxRow(at(NOW), "another-topic", {}).statement;
    const pages: string[][] = [];
    const times: number[] = [];
    let before: string | undefined;
    do {
      const { items: mails, next } = await listMails(ownerContext(), { before });
      pages.push(mails.map(({ id }) => id));
      times.push(...mails.map(({ createdAt }) => createdAt));
      before = next ?? undefined;
    } while (before);
    expect(pages.map(({ length }) => length)).toEqual([50, 50, 3]);
    expect(new Set(pages.flat())).toEqual(new Set(ids));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const [newest] = (await listMails(ownerContext())).items;
    expect(newest).toMatchObject({ to: "reader@example.com", state: "waiting", createdAt: NOW + 10 });
  });

  it("distinguishes sent, waiting and failed", async () => {
    const [sent, waiting, failed] = [await write(), await write(), await write()];
    await db.update(outbox).set({ doneAt: new Date() }).where(eq(outbox.id, sent));
    await db.update(outbox).set({ attempts: 2, lastError: "Away." }).where(eq(outbox.id, waiting));
    await db
      .update(outbox)
      .set({ attempts: 8, lastError: "Away.", failedAt: new Date() })
      .where(eq(outbox.id, failed));
    const { items: mails } = await listMails(ownerContext());
    const states = new Map(mails.map(({ id, state, lastError }) => [id, { state, lastError }]));
    expect(states.get(sent)).toEqual({ state: "sent", lastError: null });
    expect(states.get(waiting)).toEqual({ state: "waiting", lastError: "Away." });
    expect(states.get(failed)).toEqual({ state: "failed", lastError: "Away." });
  });

  it("reads one", async () => {
    const id = await write();
    expect(await readMail(ownerContext(), id)).toMatchObject({
      id,
      subject: "A subject",
      content: { text: expect.stringContaining("Hello.") },
    });
    await expect(readMail(ownerContext(), "none")).rejects.toMatchObject({ code: "not_found" });
  });

  it("reads only emails", async () => {
    const { id, statement } = outboxRow(jobContext(), "another-topic", {});
    await statement;
    await expect(readMail(ownerContext(), id)).rejects.toMatchObject({ code: "not_found" });
  });

  it("is only for users who may see the settings", async () => {
    const id = await write();
    const editor = contextAs("editor");
    for (const [ctx, code] of [
      [visitorContext(), "unauthenticated"],
      [editor, "forbidden"],
    ] as const) {
      await expect(listMails(ctx)).rejects.toMatchObject({ code });
      await expect(readMail(ctx, id)).rejects.toMatchObject({ code });
    }
  });
});
