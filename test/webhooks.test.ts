import { env } from "cloudflare:workers";
import { asc, eq, sql } from "drizzle-orm";
import { Webhook as Verifier } from "standardwebhooks";
import { beforeEach, describe, expect, inject, it, vi } from "vitest";
import { securityEvents } from "#worker/accounts/table.ts";
import {
  createArticle,
  deleteArticle,
  publishDueArticles,
  updateArticle,
} from "#worker/articles/commands.ts";
import { takeReport } from "#worker/bounces/commands.ts";
import { confirmEnquiry } from "#worker/enquiries/confirm-commands.ts";
import {
  createEpisode,
  deleteEpisode,
  publishDueEpisodes,
  updateEpisode,
} from "#worker/episodes/commands.ts";

import { handlers } from "#worker/jobs.ts";
import { letters } from "#worker/letters/table.ts";
import { sendLetter } from "#worker/letters/sending-commands.ts";
import { forgetSubscriber, unsubscribe } from "#worker/newsletter/commands.ts";
import { createSubscriber, deleteSubscriber, updateSubscriber } from "#worker/newsletter/owner-commands.ts";
import { signUnsubscribe } from "#worker/newsletter/unsubscribe-tokens.ts";
import { deletePerson } from "#worker/people/commands.ts";
import { backUp } from "#worker/backups/database-sql.ts";
import { resealSecrets } from "#worker/nouns/sealed-secrets.ts";
import { askOf } from "#worker/platform/data/schema.ts";
import { createContext, type Context, type JobMessage } from "#worker/platform/context.ts";
import { outbox } from "#worker/platform/table.ts";
import { deliverOutbox, pruneOutbox, sweepOutbox } from "#worker/platform/work/outbox.ts";
import {
  createWebhook,
  deleteWebhook,
  resendDelivery,
  rotateSecret,
  sendTestEvent,
  updateWebhook,
} from "#worker/webhooks/commands.ts";
import { eventTypes, type EventType, type NewWebhook } from "#worker/webhooks/contract.ts";
import { pruneTries } from "#worker/webhooks/deliver.ts";
import { listWebhooks, readWebhook, validSecrets } from "#worker/webhooks/queries.ts";
import { eventRows, WEBHOOK_TOPIC, type Message } from "#worker/webhooks/record-event.ts";
import { webhooks, webhookSecrets, webhookTries } from "#worker/webhooks/table.ts";
import { anArticle, publishedArticle } from "./support/articles.ts";
import { jobContext, ownerContext, SITE } from "./support/client.ts";
import { aComment as newComment, setComments, waitingComment, written } from "./support/comments.ts";
import { anEpisode, publishedEpisode, savedShow } from "./support/factories.ts";
import { faultyBindings } from "./support/faults.ts";
import { aMessage, mailsAbout, postJson } from "./support/forms.ts";
import { address, confirmed, jobs, tokenIn, visitorContext } from "./support/newsletter.ts";
import { forgetRates } from "./support/rates.ts";
import { aLetterTo, sendingContext, sendSlices, subscribed } from "./support/sending.ts";
import { HUGE, type Received } from "./support/webhook-server.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const HOST = `http://127.0.0.1:${inject("webhooks")}`;
const { db, config } = jobContext();
const loopback = { ...config, loopback: true };
const owner = (options: Partial<Context> = {}) => ownerContext({ jobs, config: loopback, ...options });
/** A consumer at this time after now. */
const job = (milliseconds = 0, options: Partial<Context> = {}) =>
  jobContext({ jobs, config: loopback, now: new Date(Date.now() + milliseconds), ...options });

let name = "";
const receivedBy = async (which = name) => (await fetch(`${HOST}/${which}/received`)).json<Received[]>();

/** A webhook for all events, at a receiver of its own. */
async function aWebhook(way = "ok", overrides: Partial<NewWebhook> = {}) {
  name = crypto.randomUUID();
  const { webhook, secret } = await createWebhook(owner(), {
    url: `${HOST}/${name}/${way}`,
    description: "",
    events: [...eventTypes],
    ...overrides,
  });
  return { ...webhook, secret };
}

const rowsFor = (id: number) =>
  db
    .select()
    .from(outbox)
    .where(sql`payload ->> 'webhook' = ${id}`)
    .orderBy(asc(sql`rowid`));
const messagesFor = async (id: number) => (await rowsFor(id)).map(({ payload }) => payload as Message);
const bodiesFor = async (id: number) => (await messagesFor(id)).map(({ body }) => body);

/** Delivers what is due for a webhook, as the queue does. */
async function deliver(id: number, ctx = job()) {
  for (const row of await rowsFor(id)) await deliverOutbox(ctx, row.id, handlers);
  return rowsFor(id);
}

/** A webhook that one event waits for. */
async function anEvent(way?: string) {
  const webhook = await aWebhook(way, { events: ["essay.published"] });
  await publishedArticle({ title: "On rent" });
  const [row, ...others] = await rowsFor(webhook.id);
  expect(others).toEqual([]);
  return { ...webhook, row: row!, delivery: row!.id };
}

const aSubscriber = () =>
  createSubscriber(owner(), { email: address(), source: "shop", consent: "On paper.", ask: false });

const latest = async (id: number) => (await readWebhook(owner(), id)).deliveries[0]!;

beforeEach(async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  await db.delete(outbox);
  await db.delete(webhooks);
  await forgetRates();
});

describe("an event", () => {
  const isIn = (milliseconds: number) => Date.now() + milliseconds;

  it("is recorded for an essay that is published, changed, withdrawn or deleted, and for no draft", async () => {
    const { id } = await aWebhook();
    const { id: essay } = await publishedArticle({ title: "On rent", slug: "on-rent" });
    await updateArticle(owner(), essay, { title: "On rents" });
    await updateArticle(owner(), essay, { status: "draft" });
    await updateArticle(owner(), essay, { title: "A draft" });
    await updateArticle(owner(), essay, { status: "published" });
    await deleteArticle(owner(), essay);
    const url = `${SITE}/essays/on-rent`;
    expect((await bodiesFor(id)).map(({ type, data }) => [type, data])).toEqual([
      ["essay.published", { id: essay, title: "On rent", url }],
      ["essay.changed", { id: essay, title: "On rents", url }],
      ["essay.changed", { id: essay, title: "On rents", url }],
      ["essay.published", { id: essay, title: "A draft", url }],
      ["essay.changed", { id: essay, title: "A draft", url }],
    ]);
    const ids = (await messagesFor(id)).map(({ event }) => event);
    expect(new Set(ids).size).toBe(5);
    expect(ids[0]).toMatch(/^msg_essay_published_\d+_[\d-]+$/);
  });

  it("is recorded for an episode, too", async () => {
    await savedShow();
    const { id } = await aWebhook();
    const { id: episode } = await publishedEpisode({ title: "Heat" });
    await updateEpisode(owner(), episode, { title: "Heat and light" });
    await deleteEpisode(owner(), episode);
    const url = `${SITE}/episode/${episode}`;
    expect((await bodiesFor(id)).map(({ type, data }) => [type, data])).toEqual([
      ["episode.published", { id: episode, title: "Heat", url }],
      ["episode.changed", { id: episode, title: "Heat and light", url }],
      ["episode.changed", { id: episode, title: "Heat and light", url }],
    ]);
  });

  it("is recorded once when a schedule publishes, also by two crons", async () => {
    await savedShow();
    const { id } = await aWebhook();
    const plan = { status: "scheduled" as const, scheduledFor: isIn(MINUTE) };
    await createArticle(owner(), anArticle(plan));
    await createEpisode(owner(), anEpisode(plan));
    expect(await rowsFor(id)).toEqual([]);
    await Promise.all([job(2 * MINUTE), job(2 * MINUTE)].map((ctx) => publishDueArticles(ctx)));
    await Promise.all([job(2 * MINUTE), job(2 * MINUTE)].map((ctx) => publishDueEpisodes(ctx)));
    expect((await bodiesFor(id)).map(({ type }) => type)).toEqual(["essay.published", "episode.published"]);
  });

  it("is recorded once for a letter whose sending has ended", async () => {
    const { id } = await aWebhook();
    const { domain } = await subscribed([{}, {}]);
    const letter = await aLetterTo(domain, { subject: "In October" });
    await sendLetter(sendingContext(), letter.id, {});
    expect(await rowsFor(id)).toEqual([]);
    await sendSlices(sendingContext(), letter.id);
    const [row] = await db.select().from(letters).where(eq(letters.id, letter.id));
    expect(row!.status).toBe("sent");
    const url = `${SITE}/letters/${letter.id}`;
    expect(await bodiesFor(id)).toMatchObject([
      { type: "letter.sent", data: { id: letter.id, title: "In October", url } },
    ]);
  });

  it("is recorded for a subscriber who confirms and leaves, with the address", async () => {
    const { id } = await aWebhook();
    const one = await confirmed();
    const token = await signUnsubscribe(job(), { id: one.id });
    await unsubscribe(visitorContext(), { token });
    await unsubscribe(visitorContext(), { token });
    const who = { id: one.id, email: one.email };
    expect((await bodiesFor(id)).map(({ type, data }) => [type, data])).toEqual([
      ["subscriber.confirmed", who],
      ["subscriber.left", { ...who, reason: "unsubscribed" }],
    ]);
  });

  it("is recorded for a subscriber whom the owner adds, unsubscribes or deletes, and for a complaint", async () => {
    const { id } = await aWebhook();
    const [left, deleted, complaining] = [await aSubscriber(), await aSubscriber(), await aSubscriber()];
    await createSubscriber(owner(), { email: address(), source: "shop", consent: "On paper.", ask: true });
    await updateSubscriber(owner(), left.id, { status: "unsubscribed" });
    await deleteSubscriber(owner(), left.id);
    await deleteSubscriber(owner(), deleted.id);
    const report = { type: "email.complained", data: { email_id: "", to: [complaining.email] } };
    await takeReport(job(), { id: crypto.randomUUID(), event: report });
    const bodies = await bodiesFor(id);
    expect(bodies.filter(({ type }) => type === "subscriber.left").map(({ data }) => data)).toEqual([
      // What was about the first two is deleted with them.
      { id: deleted.id, email: deleted.email, reason: "deleted" },
      { id: complaining.id, email: complaining.email, reason: "complained" },
    ]);
    expect(bodies.filter(({ type }) => type === "subscriber.confirmed")).toMatchObject([
      { data: { email: complaining.email } },
    ]);
  });

  it("is recorded for an enquiry once it has arrived, without what it says", async () => {
    const { id } = await aWebhook();
    const sent = aMessage({ subject: "A private matter" });
    await postJson("/api/contact-messages", sent);
    const links = Array.from({ length: 20 }, (_, n) => `https://${n}.example`).join(" ");
    const spam = aMessage({ subject: "Pills", message: links });
    await postJson("/api/contact-messages", spam);
    const bodies = await bodiesFor(id);
    const { id: enquiry } = bodies[0]!.data as { id: number };
    expect(bodies).toMatchObject([
      {
        type: "enquiry.received",
        data: { id: expect.any(Number), kind: "message", url: `${SITE}/admin/guests/messages/${enquiry}` },
      },
    ]);
    expect(JSON.stringify(await messagesFor(id))).not.toMatch(/private matter|@/);
    const { toSender } = await mailsAbout(spam.email);
    const confirm = { token: tokenIn(toSender[0]!.link ?? "") };
    await confirmEnquiry(visitorContext(), confirm);
    await confirmEnquiry(visitorContext(), confirm);
    expect((await bodiesFor(id)).map(({ data }) => data)).toMatchObject([{}, { kind: "message" }]);
  });

  it("is recorded for a comment once it is confirmed", async () => {
    await setComments(true);
    const { id } = await aWebhook("ok", { events: ["comment.received"] });
    const { id: essay } = await publishedArticle();
    await written(newComment(essay));
    expect(await rowsFor(id)).toEqual([]);
    const { id: comment } = await waitingComment(newComment(essay));
    await setComments(false);
    expect(await bodiesFor(id)).toMatchObject([
      {
        type: "comment.received",
        data: { id: comment, contentType: "article", contentId: essay, url: `${SITE}/admin/guests/comments` },
      },
    ]);
  });

  it("goes to each webhook that subscribes, and to none that is paused", async () => {
    const one = await aWebhook("ok", { events: ["essay.published", "essay.changed"] });
    const other = await aWebhook("ok", { events: ["essay.published"] });
    const deaf = await aWebhook("ok", { events: ["letter.sent"] });
    const paused = await aWebhook();
    await updateWebhook(owner(), paused.id, { isPaused: true });
    const { id } = await publishedArticle();
    await updateArticle(owner(), id, { title: "Changed" });
    const counts = await Promise.all([one, other, deaf, paused].map(({ id: hook }) => rowsFor(hook)));
    expect(counts.map(({ length }) => length)).toEqual([2, 1, 0, 0]);
  });

  it("takes one statement and reads no row if there is no webhook", async () => {
    const read = async (withWebhook: boolean) => {
      if (withWebhook) await aWebhook();
      const ctx = owner();
      await publishDueArticles(ctx);
      const { meta } = await eventRows(ctx, "letter.sent", {
        from: sql`from ${letters}`,
        item: sql`${letters.id}`,
        data: { id: 1, title: "", url: null },
      });
      return meta.rows_read;
    };
    expect(await read(false)).toBeLessThanOrEqual(1);
  });

  it("is missing if its write failed, and is there once if the write's answer was lost", async () => {
    const { id } = await aWebhook("ok", { events: ["essay.published"] });
    for (const fault of ["before", "after"] as const) {
      const { env: faulty } = faultyBindings(env, ({ queries }) =>
        queries.some((query) => /insert into "articles"/i.test(query)) ? fault : undefined,
      );
      const ctx = { ...createContext(faulty, { actor: owner().actor }), jobs };
      const essay = { ...anArticle({ status: "published" }), draftKey: crypto.randomUUID() };
      await createArticle(ctx, essay).catch(() => {});
      expect(await rowsFor(id)).toHaveLength(fault === "before" ? 0 : 1);
      await createArticle(owner(), essay);
      expect(await rowsFor(id)).toHaveLength(1);
      await db.delete(outbox);
    }
  });
});

describe("a delivery", () => {
  it("is signed, so that the library of Standard Webhooks accepts it", async () => {
    const { id, secret } = await anEvent();
    const [row] = await deliver(id);
    expect(row).toMatchObject({ lastError: null });
    expect(row!.doneAt).not.toBeNull();
    const [{ headers, body }] = (await receivedBy()) as [Received];
    expect(headers["content-type"]).toBe("application/json");
    expect(new Verifier(secret).verify(body, headers)).toMatchObject({
      type: "essay.published",
      data: { title: "On rent" },
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(() => new Verifier(secret).verify(`${body} `, headers)).toThrow();
    expect(await latest(id)).toMatchObject({
      state: "delivered",
      status: 200,
      tries: 1,
      response: "Thanks.",
      error: null,
    });
  });

  it("is signed with the former secret as well, for 24 hours", async () => {
    const { id, secret } = await anEvent();
    const rotated = await rotateSecret(owner(), id);
    expect(rotated.secret).not.toBe(secret);
    expect(rotated.webhook.formerUntil).toBeGreaterThan(Date.now() + 23 * HOUR);
    await deliver(id);
    const [both] = (await receivedBy()) as [Received];
    for (const valid of [secret, rotated.secret]) new Verifier(valid).verify(both.body, both.headers);
    await sendTestEvent(owner({ now: new Date(Date.now() + 25 * HOUR) }), id);
    const [, alone] = (await receivedBy()) as [Received, Received];
    expect(alone.headers["webhook-signature"]!.split(" ")).toHaveLength(1);
    expect(
      (await readWebhook(owner({ now: new Date(Date.now() + 25 * HOUR) }), id)).webhook.formerUntil,
    ).toBeNull();
  });

  it("keeps signing with the oldest valid secret if the answer of a rotation was lost", async () => {
    const { id, secret } = await anEvent();
    await rotateSecret(owner(), id);
    await rotateSecret(owner(), id);
    await deliver(id);
    const [{ body, headers }] = (await receivedBy()) as [Received];
    new Verifier(secret).verify(body, headers);
    expect(headers["webhook-signature"]!.split(" ")).toHaveLength(3);
  });

  it("is tried again under the same id after a 500, and arrives", async () => {
    const { id } = await anEvent("broken/1");
    await deliver(id);
    expect(await latest(id)).toMatchObject({
      state: "waiting",
      status: 500,
      tries: 1,
      error: "It answered 500.",
      response: "Broken.",
    });
    await deliver(id);
    expect(await receivedBy()).toHaveLength(1);
    await deliver(id, job(MINUTE + SECOND));
    expect(await latest(id)).toMatchObject({ state: "delivered", status: 200, tries: 2, error: null });
    const [first, second] = await receivedBy();
    expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
    expect(second!.body).toBe(first!.body);
    expect(Number(second!.headers["webhook-timestamp"])).toBeGreaterThan(
      Number(first!.headers["webhook-timestamp"]),
    );
  });

  it("is tried for a day with growing waits, then marked as failed, and its webhook warned about", async () => {
    const { id } = await anEvent("broken/99");
    const tries: number[] = [];
    const start = Date.now();
    for (let at = 0; tries.length < 9;) {
      const [row] = await deliver(id, job(at));
      if (row!.failedAt) break;
      tries.push(row!.notBefore.getTime() - start);
      at = row!.notBefore.getTime() - Date.now() + SECOND;
    }
    expect(tries).toHaveLength(7);
    expect(tries.at(-1)! / HOUR).toBeCloseTo(24, 0);
    expect(await receivedBy()).toHaveLength(8);
    expect(await latest(id)).toMatchObject({ state: "failed", tries: 8 });
    expect((await listWebhooks(owner())).items).toMatchObject([
      { paused: null, failedAt: expect.any(Number) },
    ]);
  });

  it("that is sent again after its failure arrives, and takes the warning back", async () => {
    const { id, delivery } = await anEvent("broken/1");
    await db.update(outbox).set({ attempts: 7 }).where(eq(outbox.id, delivery));
    await deliver(id);
    expect((await readWebhook(owner(), id)).webhook.failedAt).not.toBeNull();
    await resendDelivery(owner(), id, delivery);
    expect(await latest(id)).toMatchObject({ state: "delivered", tries: 2 });
    expect((await readWebhook(owner(), id)).webhook.failedAt).toBeNull();
  });

  it("that has arrived is sent a second time on demand, under the same id", async () => {
    const { id, delivery } = await anEvent();
    await expect(resendDelivery(owner(), id, "other")).rejects.toMatchObject({ code: "not_found" });
    await deliver(id);
    const { id: copy } = await resendDelivery(owner(), id, delivery);
    expect(copy).not.toBe(delivery);
    const [first, second] = await receivedBy();
    expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
  });

  it("of another webhook, and any other outbox row, cannot be sent again in its name", async () => {
    const one = await anEvent("broken/9");
    await deliver(one.id);
    const other = await aWebhook();
    await expect(resendDelivery(owner(), other.id, one.delivery)).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("waits as long as Retry-After says, but no longer than three hours", async () => {
    const { id } = await anEvent("busy");
    const now = Date.now();
    const [row] = await deliver(id);
    expect((row!.notBefore.getTime() - now) / HOUR).toBeCloseTo(2, 1);
  });

  it.each([
    ["silent", null, "It didn’t answer within 10 seconds."],
    ["moved", 302, "It redirects (302), which webhooks don’t follow. Enter the final address."],
  ])("to a receiver that is %s fails", async (way, status, error) => {
    const { id } = await anEvent(way);
    await deliver(id);
    expect(await latest(id)).toMatchObject({ state: "waiting", status, error });
    expect(await receivedBy()).toHaveLength(1);
  });

  it("ends after 10 seconds also if the response never does", async () => {
    const { id } = await anEvent("stalled");
    const start = Date.now();
    await deliver(id);
    expect(Date.now() - start).toBeLessThan(60 * SECOND);
    expect(await latest(id)).toMatchObject({
      state: "waiting",
      error: "It didn’t answer within 10 seconds.",
    });
  });

  it("reads and stores a kilobyte of the response", async () => {
    const { id } = await anEvent("huge");
    await deliver(id);
    const { response, state } = await latest(id);
    expect(state).toBe("delivered");
    expect(new TextEncoder().encode(response).length).toBeLessThanOrEqual(1024);
    expect(response).toMatch(/^é{500,512}$/);
    expect(HUGE).toBeGreaterThan(1024);
  });

  it("to a receiver that answers 410 pauses the webhook, and fails for good", async () => {
    const { id } = await anEvent("gone");
    const [row] = await deliver(id);
    expect(row!.failedAt).not.toBeNull();
    expect((await readWebhook(owner(), id)).webhook).toMatchObject({ paused: "gone" });
    expect(await latest(id)).toMatchObject({ state: "failed", status: 410 });
    await updateWebhook(owner(), id, { isPaused: false });
    expect((await readWebhook(owner(), id)).webhook).toMatchObject({ paused: null, failedAt: null });
  });

  it("is not sent while its webhook is paused, and is shown so", async () => {
    const { id } = await anEvent();
    await updateWebhook(owner(), id, { isPaused: true });
    await deliver(id);
    expect(await receivedBy()).toEqual([]);
    expect(await latest(id)).toMatchObject({ state: "unsent", tries: 0 });
    await expect(sendTestEvent(owner(), id)).rejects.toMatchObject({ code: "conflict" });
  });

  it("never leaves for a private address", async () => {
    const { id } = await anEvent();
    await deliver(id, job(0, { config }));
    expect(await receivedBy()).toEqual([]);
    expect(await latest(id)).toMatchObject({
      state: "failed",
      error: "Enter an address on the internet. This one is private.",
    });
  });

  it("is sent once by two consumers of the same message", async () => {
    const { delivery } = await anEvent();
    await Promise.all([job(), job()].map((ctx) => deliverOutbox(ctx, delivery, handlers)));
    expect(await receivedBy()).toHaveLength(1);
  });

  it("that is interrupted between sending and marking is sent again under the same id", async () => {
    const { id, delivery } = await anEvent();
    const { env: faulty } = faultyBindings(env, ({ queries }) =>
      queries.some((query) => /insert into "webhook_tries"/i.test(query)) ? "crash" : undefined,
    );
    const ctx = {
      ...createContext(faulty, { actor: { kind: "job", name: "test" } }),
      jobs,
      config: loopback,
    };
    void deliverOutbox(ctx, delivery, handlers).catch(() => {});
    await vi.waitFor(async () => expect(await receivedBy()).toHaveLength(1), { timeout: MINUTE });
    await deliver(id, job(MINUTE));
    expect(await receivedBy()).toHaveLength(1);
    await deliver(id, job(6 * MINUTE));
    const [first, second] = await receivedBy();
    expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
    expect(await latest(id)).toMatchObject({ state: "delivered" });
  });

  it("is found by the next sweep, without waiting for a message", async () => {
    const { delivery } = await anEvent();
    const swept: string[] = [];
    const sendBatch = async (messages: Iterable<MessageSendRequest<JobMessage>>) => {
      swept.push(...[...messages].map(({ body }) => body.id));
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
    };
    const ctx = job(0, { jobs: { ...jobs, sendBatch } });
    await sweepOutbox(ctx, {});
    expect(swept).toEqual([]);
    await sweepOutbox(ctx, {}, [WEBHOOK_TOPIC]);
    expect(swept).toEqual([delivery]);
  });

  it("is stored for 30 days", async () => {
    const { id } = await anEvent();
    await deliver(id);
    await pruneOutbox(job(29 * DAY));
    await pruneTries(job(29 * DAY));
    expect((await readWebhook(owner(), id)).deliveries).toHaveLength(1);
    await pruneOutbox(job(31 * DAY));
    await pruneTries(job(31 * DAY));
    expect((await readWebhook(owner(), id)).deliveries).toEqual([]);
    expect(await db.select().from(webhookTries)).toEqual([]);
  });

  it("has no secret in the log or in its error", async () => {
    const logged: unknown[][] = [];
    vi.spyOn(console, "error").mockImplementation((...line) => void logged.push(line));
    const { id, secret, url } = await anEvent("broken/9");
    await deliver(id);
    expect(logged.length).toBeGreaterThan(0);
    expect(JSON.stringify(logged)).not.toContain(secret.slice("whsec_".length));
    expect(JSON.stringify(logged)).not.toContain(url);
  });
});

describe("the secret of a webhook", () => {
  it("is encrypted in the database where KEY_SECRET is set, and signs", async () => {
    const keyed = { ...loopback, keySecrets: ["k".repeat(40)] };
    const path = crypto.randomUUID();
    name = path;
    const { webhook, secret } = await createWebhook(owner({ config: keyed }), {
      url: `${HOST}/${path}/ok`,
      description: "",
      events: ["letter.sent"],
    });
    const [row] = await db.select().from(webhookSecrets);
    expect(row!.secret).toMatch(/^sealed:/);
    await sendTestEvent(owner({ config: keyed }), webhook.id);
    const [{ body, headers }] = (await receivedBy()) as [Received];
    new Verifier(secret).verify(body, headers);
    await sendTestEvent(owner({ now: new Date(Date.now() + SECOND) }), webhook.id);
    expect(await receivedBy()).toHaveLength(1);
    expect(await latest(webhook.id)).toMatchObject({
      state: "failed",
      error: expect.stringContaining("KEY_SECRET"),
    });
  });

  it("is encrypted by KEY_SECRET from the next night on, if it was made without one", async () => {
    const { id, secret } = await aWebhook();
    const stored = async () =>
      (await db.select().from(webhookSecrets).where(eq(webhookSecrets.webhookId, id)))[0]!;
    expect((await stored()).secret).toBe(secret);
    const keyed = owner({ config: { ...loopback, keySecrets: ["k".repeat(40)] } });
    await resealSecrets(keyed);
    expect((await stored()).secret).toMatch(/^sealed:/);
    expect(await validSecrets(keyed, await stored())).toEqual([secret]);
  });

  it("is in no copy of the database", async () => {
    const { secret } = await aWebhook();
    const statements: string[] = [];
    for await (const statement of backUp(askOf(jobContext()))) statements.push(statement);
    const text = statements.join("\n");
    expect(text).toContain("CREATE TABLE `webhook_secrets`");
    expect(text).toContain('INSERT INTO "webhooks"');
    expect(text).not.toContain('INSERT INTO "webhook_secrets"');
    expect(text).not.toContain(secret);
  });
});

describe("a person's deletion", () => {
  it("deletes their events with what receivers answered, and informs receivers once", async () => {
    const { id } = await aWebhook();
    const { email, id: subscriber } = await aSubscriber();
    await deliver(id);
    expect(await db.select().from(webhookTries)).toHaveLength(1);
    await deletePerson(owner(), { email });
    expect(await db.select().from(webhookTries)).toEqual([]);
    expect(await bodiesFor(id)).toMatchObject([
      { type: "subscriber.left", data: { id: subscriber, email, reason: "deleted" } },
    ]);
    await deliver(id);
    expect(await rowsFor(id)).toEqual([]);
    expect(await db.select().from(webhookTries)).toEqual([]);
    expect((await receivedBy()).map(({ body }) => JSON.parse(body).type)).toEqual([
      "subscriber.confirmed",
      "subscriber.left",
    ]);
  });

  it("by their own link does the same", async () => {
    const { id } = await aWebhook();
    const { email, id: subscriber } = await aSubscriber();
    await deliver(id);
    await forgetSubscriber(visitorContext(), { token: await signUnsubscribe(job(), { id: subscriber }) });
    expect(await bodiesFor(id)).toMatchObject([{ type: "subscriber.left", data: { reason: "deleted" } }]);
    await deliver(id);
    const left = await db
      .select()
      .from(outbox)
      .where(sql`payload like ${`%${email}%`} and payload ->> 'webhook' is not null`);
    expect(left).toEqual([]);
  });
});

describe("a webhook", () => {
  it.each([
    ["https://10.0.0.8/hook", "Enter an address on the internet. This one is private."],
    ["https://metadata.google.internal/", "Enter an address on the internet. This one is private."],
    ["https://[::1]/hook", "Enter an address on the internet. This one is private."],
    ["http://example.com/hook", "Enter an address that starts with https://."],
    ["https://me:secret@example.com/hook", "Leave out the user and password. Events are signed instead."],
    ["https://example.com:8443/hook", "Leave out the port. Events are sent to the port of https alone."],
  ])("may not be at %s", async (url, message) => {
    const input = { url, description: "", events: ["letter.sent"] as EventType[] };
    const ctx = owner({ config });
    await expect(createWebhook(ctx, input)).rejects.toMatchObject({ code: "invalid", field: "url", message });
    const { id } = await aWebhook();
    await expect(updateWebhook(ctx, id, { url })).rejects.toMatchObject({ field: "url", message });
  });

  it("has its secret in the answers that made it, and in no other", async () => {
    const { id, secret, ...webhook } = await aWebhook();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const rotated = await rotateSecret(owner(), id);
    const answers = [
      webhook,
      rotated.webhook,
      await listWebhooks(owner()),
      await readWebhook(owner(), id),
      await updateWebhook(owner(), id, { description: "Shop" }),
    ];
    expect(JSON.stringify(answers)).not.toContain("whsec_");
    const logs = await db.select().from(securityEvents);
    expect(JSON.stringify(logs)).not.toContain("whsec_");
  });

  it("is added, changed, rotated and removed only after a recent proof, and each is logged", async () => {
    const { id, updatedAt } = await aWebhook();
    const stale = owner();
    stale.actor = { ...stale.actor, authenticatedAt: new Date(Date.now() - HOUR) } as typeof stale.actor;
    const input = { url: `${HOST}/x/ok`, description: "", events: ["letter.sent"] as EventType[] };
    for (const write of [
      () => createWebhook(stale, input),
      () => updateWebhook(stale, id, { isPaused: true }),
      () => rotateSecret(stale, id),
      () => deleteWebhook(stale, id),
    ])
      await expect(write()).rejects.toMatchObject({ code: "reauthentication_required" });
    await updateWebhook(owner(), id, { isPaused: true, basedOn: updatedAt });
    await rotateSecret(owner(), id);
    await deleteWebhook(owner(), id);
    const kinds = (await db.select().from(securityEvents).orderBy(securityEvents.id)).map(({ kind }) => kind);
    expect(kinds.slice(-4)).toEqual([
      "webhook_added",
      "webhook_changed",
      "webhook_secret_changed",
      "webhook_removed",
    ]);
    await expect(deleteWebhook(owner(), id)).rejects.toMatchObject({ code: "not_found" });
  });

  it("is one for each address, and at most twenty", async () => {
    const { url } = await aWebhook();
    const input = { description: "", events: ["letter.sent"] as EventType[] };
    await expect(createWebhook(owner(), { url, ...input })).rejects.toMatchObject({
      code: "conflict",
      field: "url",
    });
    await Promise.all(
      Array.from({ length: 22 }, (_, n) =>
        createWebhook(owner(), { url: `${HOST}/many/${n}`, ...input }).catch(() => {}),
      ),
    );
    expect((await listWebhooks(owner())).items).toHaveLength(20);
    expect(await db.select().from(webhookSecrets)).toHaveLength(20);
  });

  it("that was changed elsewhere is not overwritten", async () => {
    const { id, updatedAt } = await aWebhook();
    await updateWebhook(owner(), id, { description: "First", basedOn: updatedAt });
    const second = updateWebhook(owner(), id, { description: "Second", basedOn: updatedAt });
    await expect(second).rejects.toMatchObject({ code: "conflict" });
    await updateWebhook(owner(), id, { description: "First", basedOn: updatedAt });
  });

  it("is removed with its secret and deliveries", async () => {
    const { id } = await anEvent();
    await deliver(id);
    await deleteWebhook(owner(), id);
    expect(await rowsFor(id)).toEqual([]);
    expect(await db.select().from(webhookSecrets)).toEqual([]);
    expect(await db.select().from(webhookTries)).toEqual([]);
  });

  it("is sent a test once, whose failure is no failure of the site", async () => {
    const { id } = await aWebhook("broken/9");
    await sendTestEvent(owner(), id);
    expect(await latest(id)).toMatchObject({
      type: "webhook.test",
      state: "failed",
      status: 500,
      nextTry: null,
    });
    await deliver(id, job(DAY));
    expect(await receivedBy()).toHaveLength(1);
    const [row] = await rowsFor(id);
    expect(row).toMatchObject({ failedAt: null });
    expect((await readWebhook(owner(), id)).webhook.failedAt).toBeNull();
  });

  it("of a database that was restored from a copy has no secret, and says so", async () => {
    const { id } = await anEvent();
    await db.delete(webhookSecrets);
    expect((await readWebhook(owner(), id)).webhook.hasSecret).toBe(false);
    await deliver(id);
    expect(await latest(id)).toMatchObject({
      state: "failed",
      error: expect.stringContaining("secret is missing"),
    });
    await rotateSecret(owner(), id);
    expect((await readWebhook(owner(), id)).webhook.hasSecret).toBe(true);
  });
});
