import {
  createExecutionContext,
  createMessageBatch,
  createScheduledController,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { and, isNotNull, isNull } from "drizzle-orm";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, expect, inject, it, vi } from "vitest";
import { comments } from "#worker/comments/table.ts";
import { enquiries, enquiryMails } from "#worker/enquiries/table.ts";
import { sendEnquiryMail } from "#worker/enquiries/owner/mail-commands.ts";
import { consume, tick } from "#worker/jobs.ts";
import type { JobMessage } from "#worker/platform/context.ts";
import { outbox } from "#worker/platform/table.ts";
import { publishedArticle } from "./support/articles.ts";
import { jobContext, ownerContext } from "./support/client.ts";
import { aComment, setComments } from "./support/comments.ts";
import { aBooking, aMessage, anApplication, forms, postJson, rowsOf } from "./support/forms.ts";
import { tokenIn } from "./support/newsletter.ts";
import { receivedBy, SMTP } from "./support/sending.ts";

const MINUTE = 60_000;
const HOUR = 60;
/** Minutes between two runs of the cron: what a run each minute does, in a fifth of the time. */
const STEP = 5;
/** Further ahead than the runner's own clock, whose queue then finds nothing due. */
const START = Date.parse("2030-03-01T00:00:00Z");
/** A unique address, because all tests share the mail server. */
const OWNER = "owner-of-outage@example.com";

const NOBODY_LISTENS = "smtp://localhost:1";
const REFUSES = `smtp://owner:wrong@localhost:${inject("smtp").login}`;

/** The current bindings of the Worker. */
const now = { smtp: NOBODY_LISTENS, queueWorks: false };
const waiting: JobMessage[] = [];
const queue = {
  sendBatch: async (messages: Iterable<{ body: JobMessage }>) => {
    if (!now.queueWorks) throw new Error("The queue is down.");
    waiting.push(...Array.from(messages, ({ body }) => body));
  },
};
const bindings = () => ({ ...env, JOBS: queue, SMTP_URL: now.smtp, ADMIN_EMAIL: OWNER }) as unknown as Env;

/** Runs the cron, and delivers all queue messages twice. */
async function runOnce() {
  const execution = createExecutionContext();
  const controller = createScheduledController({ cron: "* * * * *", scheduledTime: Date.now() } as never);
  await tick(controller, bindings(), execution).catch(() => undefined);
  const taken = waiting.splice(0).flatMap((body) => [body, body]);
  const messages = taken.map((body) => ({
    id: crypto.randomUUID(),
    timestamp: new Date(),
    attempts: 1,
    body,
  }));
  await consume(createMessageBatch<JobMessage>("rostrum-jobs", messages as never), bindings(), execution);
  await waitOnExecutionContext(execution);
}

async function passMinutes(count: number) {
  for (let minutes = 0; minutes < count; minutes += STEP) {
    vi.setSystemTime(Date.now() + STEP * MINUTE);
    await runOnce();
  }
}

/** Pressed twice. */
async function send(path: string, body: object) {
  for (let press = 0; press < 2; press++) {
    const answer = await postJson(path, body, { bindings: bindings() });
    expect(answer.status).toBe(200);
  }
}

const pending = () =>
  jobContext()
    .db.select()
    .from(outbox)
    .where(and(isNull(outbox.doneAt), isNull(outbox.failedAt)));

/** Subjects that the mail server took for an address, in order of the alphabet. */
async function subjectsTo(address: string) {
  const mails = await receivedBy(address);
  const parsed = await Promise.all(mails.map(({ raw }) => PostalMime.parse(raw)));
  expect(new Set(parsed.map(({ messageId }) => messageId)).size).toBe(parsed.length);
  return parsed.map(({ subject }) => subject).toSorted();
}

const linkTo = async (address: string) => {
  const [mail] = await receivedBy(address);
  const { text } = await PostalMime.parse(mail!.raw);
  return tokenIn(/https?:\S+token=\S+/.exec(text!)![0]);
};

let essay = 0;
beforeAll(async () => {
  await setComments(true);
  essay = (await publishedArticle({ title: "On rent" })).id;
  vi.useFakeTimers({ now: START, toFake: ["Date"] });
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterAll(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await setComments(false);
});

it("loses and doubles nothing when email and queue fail for an hour", async () => {
  const before = (await pending()).length;
  const sent = {
    application: anApplication({ name: "Ada" }),
    message: aMessage({ name: "Ben" }),
    booking: aBooking({ name: "Cleo" }),
  };
  const [confirmed, late] = [aComment(essay), aComment(essay)];
  const answered = { subject: "Come on Monday", message: "It suits us.", recording: null };

  // The queue and the mail server are down.
  await send(forms.application.path, sent.application);
  await send("/api/comments", confirmed);
  await passMinutes(10);
  await send(forms.message.path, sent.message);
  const [application] = await rowsOf(sent.application.email);
  for (let press = 0; press < 2; press++) {
    const ctx = ownerContext({ now: new Date(), jobs: queue as never });
    await sendEnquiryMail(ctx, "application", application!.id, answered);
  }
  await passMinutes(10);
  // The queue works again; emails fail, first without a mail server, then by its refusal.
  now.queueWorks = true;
  await send(forms.booking.path, sent.booking);
  await passMinutes(20);
  now.smtp = REFUSES;
  await send("/api/comments", late);
  await passMinutes(HOUR - 40);
  const everybody = [OWNER, confirmed.email, late.email, ...Object.values(sent).map(({ email }) => email)];
  for (const address of everybody) expect(await receivedBy(address)).toEqual([]);
  expect((await pending()).length - before).toBe(9);

  now.smtp = SMTP;
  await passMinutes(70);
  expect((await pending()).length).toBe(before);
  expect(await jobContext().db.select().from(outbox).where(isNotNull(outbox.failedAt))).toEqual([]);
  expect(await subjectsTo(sent.application.email)).toEqual([
    "Come on Monday",
    expect.stringMatching(/application/),
  ]);
  expect(await subjectsTo(sent.message.email)).toEqual([expect.stringMatching(/message/)]);
  expect(await subjectsTo(sent.booking.email)).toEqual([expect.stringMatching(/request/)]);
  for (const { email } of [confirmed, late]) {
    expect(await subjectsTo(email)).toEqual([expect.stringMatching(/^Confirm your comment/)]);
  }

  // Confirming a comment by its late email works, and the owner is notified once.
  for (const { email } of [confirmed, late]) {
    await send("/api/comments/confirm", { token: await linkTo(email) });
  }
  await passMinutes(HOUR);
  expect(await subjectsTo(OWNER)).toEqual([
    expect.stringMatching(/comment/),
    expect.stringMatching(/^Guest application from Ada/),
    expect.stringMatching(/^Message from Ben/),
    expect.stringMatching(/^Speaking request from Cleo/),
  ]);
  const { db } = jobContext();
  expect((await db.select().from(enquiries)).map(({ name }) => name)).toEqual(["Ada", "Ben", "Cleo"]);
  expect((await db.select().from(comments)).map(({ status }) => status)).toEqual(["pending", "pending"]);
  expect(await db.select().from(enquiryMails)).toHaveLength(1);
});
