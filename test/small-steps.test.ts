import {
  createExecutionContext,
  createMessageBatch,
  createScheduledController,
  getQueueResult,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { and, desc, eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createArticle, updateArticle } from "#worker/articles/commands.ts";
import { articles } from "#worker/articles/table.ts";
import { searchPending } from "#worker/discovery/table.ts";
import { feedItems } from "#worker/episodes/table.ts";
import { deliverDeletion, OBJECTS_TOPIC } from "#worker/files/objects.ts";
import { makeVariants, VARIANTS_TOPIC } from "#worker/files/pictures/variants.ts";
import { files } from "#worker/files/table.ts";
import { createFeedImport } from "#worker/imports/feed/commands.ts";
import { startImport } from "#worker/imports/import-commands.ts";
import { consume, tick } from "#worker/jobs.ts";
import { sendLetter } from "#worker/letters/sending-commands.ts";
import type { Context, JobMessage } from "#worker/platform/context.ts";
import { filePlaces, fileReferences } from "#worker/nouns/list.ts";
import { outbox } from "#worker/platform/table.ts";
import { deliverOutbox } from "#worker/platform/work/outbox.ts";
import { jobContext, ownerContext } from "./support/client.ts";
import { publishedEpisode, savedShow, unique } from "./support/factories.ts";
import { progressOf, workThrough } from "./support/imports.ts";
import {
  anItem,
  audioOf,
  digestOfAudio,
  episodeBy,
  HOST,
  mover,
  movingJob,
  nextSeed,
  serve,
  servedFeed,
} from "./support/moving.ts";
import { jobs } from "./support/newsletter.ts";
import { pngOf } from "./support/png.ts";
import {
  aLetterTo,
  deliveriesOf,
  receivedBy,
  rowOf,
  sendingContext,
  sendSlices,
  startedLetter,
  subscribed,
  waitingSlices,
} from "./support/sending.ts";
import { uploadFile } from "./support/upload.ts";

/** The free plan ends an invocation at 10 ms of processor time: work is done in more and smaller invocations. */

const onFreePlan = <C extends Context>(ctx: C): C => ({ ...ctx, config: { ...ctx.config, plan: "free" } });
const { db } = jobContext();

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

describe("a tick on the free plan", () => {
  let sent: JobMessage[] = [];
  const JOBS = {
    sendBatch: async (messages: MessageSendRequest<JobMessage>[]) =>
      void sent.push(...messages.map(({ body }) => body)),
  };
  const freeEnv = { ...env, PLAN: "free", JOBS } as unknown as Env;
  beforeEach(() => (sent = []));

  async function run(cron: string) {
    await tick(
      createScheduledController({ cron, scheduledTime: new Date() }),
      freeEnv,
      createExecutionContext(),
    );
  }

  async function deliver(body: JobMessage) {
    const message = { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body };
    const batch = createMessageBatch<JobMessage>("rostrum-jobs", [message]);
    const execution = createExecutionContext();
    await consume(batch, freeEnv, execution);
    return getQueueResult(batch, execution);
  }

  const inAMinute = () => Date.now() + 60_000;

  it("has each part of the daily work done by a message of its own", async () => {
    const past = new Date(Date.now() - 40 * 86_400_000);
    const id = crypto.randomUUID();
    await db
      .insert(outbox)
      .values({ id, topic: "test", payload: {}, createdAt: past, notBefore: past, doneAt: past });
    const isThere = async () => (await db.select().from(outbox).where(eq(outbox.id, id))).length > 0;
    await run("17 3 * * *");
    expect(sent.length).toBeGreaterThan(15);
    expect(new Set(sent.map(({ kind }) => kind))).toEqual(new Set(["tick"]));
    expect(await isThere()).toBe(true);
    for (const body of sent.splice(0)) await deliver(body);
    expect(await isThere()).toBe(false);
    expect(sent).toEqual([]);
  });

  it("indexes pending items in small slices, each in a message of its own, until none is left", async () => {
    for (let n = 0; n < 5; n++)
      await createArticle(ownerContext(), { title: `Slice ${n}`, content: "Words.", status: "published" });
    const count = async () => (await db.select().from(searchPending)).length;
    const before = await count();
    expect(before).toBeGreaterThanOrEqual(5);
    await run("* * * * *");
    const searches = () => sent.filter(({ id }) => id === "search");
    expect(searches()).toHaveLength(1);
    expect(await count()).toBe(before);
    let messages = 0;
    for (let body = searches()[0]; body; body = searches()[0]) {
      sent = [];
      const left = await count();
      await deliver(body);
      messages++;
      expect(left - (await count())).toBeLessThanOrEqual(20);
    }
    expect(await count()).toBe(0);
    expect(messages).toBeGreaterThan(1);
    await run("* * * * *");
    expect(searches()).toEqual([]);
  });

  it("leaves a pass to the next tick once its time is over", async () => {
    await createArticle(ownerContext(), { title: "Late", content: "Words.", status: "published" });
    const before = await db.select().from(searchPending);
    expect(before).not.toEqual([]);
    await deliver({ kind: "tick", id: "search", until: Date.now() - 1 });
    expect(await db.select().from(searchPending)).toEqual(before);
    expect(sent).toEqual([]);
  });

  // The trigger's two ways of storing nothing: with an error, and silently.
  it.each(["abort, 'broken'", "ignore"])(
    "leaves a pass that makes no progress to the next tick (%s)",
    async (refusal) => {
      await savedShow();
      await publishedEpisode();
      await db.delete(feedItems);
      await db.run(
        sql.raw(`create trigger refused before insert on feed_items begin select raise(${refusal}); end`),
      );
      const result = await deliver({ kind: "tick", id: "feed", until: inAMinute() });
      await db.run(sql`drop trigger refused`);
      expect(result).toMatchObject({ explicitAcks: [expect.any(String)], retryMessages: [] });
      expect(sent).toEqual([]);
    },
  );
});

it("sends a letter on the free plan by a few emails at a time, to each subscriber once", async () => {
  const ctx = onFreePlan(sendingContext());
  const { domain, subscribers } = await subscribed(Array.from({ length: 9 }, () => ({})));
  const { id } = await aLetterTo(domain);
  await sendLetter(ctx, id, {});
  await sendSlices(ctx, id);
  expect(await rowOf(id)).toMatchObject({ status: "sent", sent: 9 });
  const batches = Map.groupBy(await deliveriesOf(id), ({ claim }) => claim);
  expect(Math.max(...[...batches.values()].map(({ length }) => length))).toBe(1);
  for (const { email } of subscribers) expect(await receivedBy(email)).toHaveLength(1);
});

it.each(["busy", "closing", "full", "shut"])(
  "pauses a letter on the free plan for a minute if the server defers its only email (%s)",
  async (fault) => {
    const now = new Date();
    const ctx = onFreePlan(sendingContext({ now, clock: () => now }));
    const at = unique();
    const addresses = Array.from({ length: 9 }, (_, n) => ({ email: `${fault}@${n}.${at}.example.com` }));
    const { id } = await startedLetter(addresses, { ctx });
    await sendSlices(ctx, id);
    const { status, pausedReason } = await rowOf(id);
    expect({ status, pausedReason }).toEqual({ status: "sending", pausedReason: expect.any(String) });
    const attempts = (await deliveriesOf(id)).map((delivery) => delivery.attempts);
    expect(attempts.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1]);
    const waiting = await waitingSlices(id);
    expect(waiting.map(({ notBefore }) => notBefore.getTime() - now.getTime())).toEqual([60_000]);
  },
);

it("sends a letter on the free plan to everyone else if one address is deferred", async () => {
  const now = new Date();
  const at = (ms: number) => {
    const time = new Date(now.getTime() + ms);
    return onFreePlan(sendingContext({ now: time, clock: () => time }));
  };
  const email = `busy@${unique()}.example.com`;
  const { id } = await startedLetter([{ email }, ...Array.from({ length: 8 }, () => ({}))], { ctx: at(0) });
  await sendSlices(at(0), id);
  await sendSlices(at(61_000), id);
  expect(await rowOf(id)).toMatchObject({ status: "sending", sent: 8, failed: 0 });
});

it("imports an episode on the free plan in several messages, with the same result", async () => {
  const seed = nextSeed();
  const size = 9_000_000;
  const { id } = await createFeedImport(mover(), { url: await servedFeed([anItem({ seed, size })]) });
  await startImport(mover(), id);
  const messages = await workThrough(id, onFreePlan(movingJob()));
  expect(await progressOf(id)).toMatchObject({ state: "done", counts: { done: 1 } });
  // Two parts, the metadata, the episode, and the end.
  expect(messages).toBe(5);
  const episode = await episodeBy(`guid-${seed}`);
  expect((await audioOf(episode?.audioFileId)).digest).toBe(await digestOfAudio(seed, size));
});

it("reads an imported transcript on the free plan in a message before the episode's", async () => {
  const seed = nextSeed();
  const path = `/t/${seed}`;
  await serve({ path, body: "WEBVTT\n\n00:00.000 --> 00:01.000\nHello." });
  const more = `<podcast:transcript url="${HOST + path}" type="text/vtt"/>`;
  const { id } = await createFeedImport(mover(), { url: await servedFeed([anItem({ seed, more })]) });
  await startImport(mover(), id);
  const messages = await workThrough(id, onFreePlan(movingJob()));
  // The audio, the metadata, the transcript, the episode, and the end.
  expect(messages).toBe(5);
  expect((await episodeBy(`guid-${seed}`))?.transcript).toContain("Hello.");
});

it("makes one copy of a picture in a message on the free plan, and all in the end", async () => {
  const ctx = onFreePlan(jobContext({ jobs }));
  const file = { name: "a.png", type: "image/png", folder: "uploads" } as const;
  const { id } = await uploadFile(ownerContext({ jobs }), await pngOf(700, 700), file);
  const stored = async () => (await db.select().from(files).where(eq(files.id, id)))[0]!;
  const nouns = { references: fileReferences, places: filePlaces };
  let made = 0;
  for (let payload: unknown = { fileId: id }; (await stored()).variants === null && made < 20; made++) {
    await makeVariants(ctx, payload, nouns);
    const [row] = await db
      .select()
      .from(outbox)
      .where(eq(outbox.topic, VARIANTS_TOPIC))
      .orderBy(desc(sql`${outbox.payload} ->> 'made'`))
      .limit(1);
    payload = row!.payload;
  }
  const { variants, avifVariants, key } = await stored();
  expect(made).toBe(variants!.length + avifVariants!.length);
  const { objects } = await env.MEDIA.list({ prefix: key.slice(0, key.lastIndexOf("/")) });
  expect(objects).toHaveLength(made + 1);
});

it("makes the next copy of a picture once, if the message of the one before is handled twice", async () => {
  const ctx = onFreePlan(jobContext({ jobs }));
  const file = { name: "a.png", type: "image/png", folder: "uploads" } as const;
  const { id: fileId } = await uploadFile(ownerContext({ jobs }), await pngOf(700, 700), file);
  const nouns = { references: fileReferences, places: filePlaces };
  for (const _ of [1, 2]) await makeVariants(ctx, { fileId }, nouns, "the row of the message");
  const rows = await db.select().from(outbox).where(eq(outbox.topic, VARIANTS_TOPIC));
  const ofFile = rows.filter(({ payload }) => (payload as { fileId: string }).fileId === fileId);
  expect(ofFile.filter(({ payload }) => (payload as { made?: number }).made === 1)).toHaveLength(1);
});

it("deletes the upload that a picture was cleaned from on the free plan in a message of its own", async () => {
  const file = { name: "a.png", type: "image/png", folder: "uploads" } as const;
  const { id } = await uploadFile(onFreePlan(ownerContext({ jobs })), await pngOf(70, 70), file);
  const [stored] = await db.select({ key: files.key }).from(files).where(eq(files.id, id));
  const incoming = `incoming/${stored!.key}`;
  expect(await env.MEDIA.head(incoming)).not.toBeNull();
  const [row] = await db
    .select()
    .from(outbox)
    .where(and(eq(outbox.topic, OBJECTS_TOPIC), sql`${outbox.payload} ->> '$[0].key' = ${incoming}`));
  await deliverOutbox(jobContext({ jobs }), row!.id, { [OBJECTS_TOPIC]: deliverDeletion });
  expect(await env.MEDIA.head(incoming)).toBeNull();
});

it("renders an essay's text only when it changed", async () => {
  const article = await createArticle(ownerContext(), { title: "Kept", content: "One **word**." });
  const htmlOf = async () =>
    (await db.select({ html: articles.contentHtml }).from(articles).where(eq(articles.id, article.id)))[0]!
      .html;
  await db.update(articles).set({ contentHtml: "<p>As it was</p>" }).where(eq(articles.id, article.id));
  await updateArticle(ownerContext(), article.id, { status: "published" });
  expect(await htmlOf()).toBe("<p>As it was</p>");
  await updateArticle(ownerContext(), article.id, { content: "Two **words**." });
  expect(await htmlOf()).toBe("<p>Two <strong>words</strong>.</p>");
});
