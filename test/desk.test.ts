import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { directories } from "#site/admin/desk/directories.ts";
import { createArticle, deleteArticle } from "#worker/articles/commands.ts";
import {
  addTick,
  dismissDelivery,
  dismissMessage,
  removeTick,
  retryDeliveries,
  retryDelivery,
  retryMessage,
} from "#worker/desk/commands.ts";
import { comments } from "#worker/comments/table.ts";
import { COUNTED, COUNTED_OF_VISITORS, directoryKeys } from "#worker/desk/contract.ts";
import { areStepsDismissed, listFailures, readDesk } from "#worker/desk/queries.ts";
import { deskTicks } from "#worker/desk/table.ts";
import { enquiries } from "#worker/enquiries/table.ts";
import { episodes } from "#worker/episodes/table.ts";
import { createEpisode, deleteEpisode } from "#worker/episodes/commands.ts";
import { checkFeed } from "#worker/episodes/feed-check.ts";
import { handlers } from "#worker/jobs.ts";
import { mailRow } from "#worker/mail/message.ts";
import { createContext } from "#worker/platform/context.ts";
import { deliverOutbox } from "#worker/platform/work/outbox.ts";
import { deadLetters, outbox } from "#worker/platform/table.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { sampleNames, siteDefaults } from "#worker/settings/contract.ts";
import { settings } from "#worker/settings/table.ts";
import demo from "../demo/site.json";
import { anArticle } from "./support/articles.ts";
import { contextAs, ownerContext, visitorContext } from "./support/client.ts";
import { anEpisode, publishedEpisode, savedShow, storedAudio, storedImage } from "./support/factories.ts";
import { jobs } from "./support/newsletter.ts";
import { aComment, anEnquiry } from "./support/people.ts";
import { plansOf } from "./support/plans.ts";

const owner = ownerContext;
/** D1 only reports rows for reads that are batched. */
const counting = () => createContext(env, { actor: owner().actor, reads: "any-replica" });
const editor = () => contextAs("editor");
const HOUR = 3_600_000;
const { db } = owner();

async function failedMail(subject = "A letter") {
  const ctx = owner();
  const { id, statement } = mailRow(ctx, { to: "a@example.com", subject, parts: ["Hello."] } as never);
  await statement;
  const failedAt = new Date();
  await db
    .update(outbox)
    .set({ failedAt, attempts: 8, lastError: "550 no such mailbox" })
    .where(eq(outbox.id, id));
  return id;
}

async function deadLetter(about: string) {
  const id = crypto.randomUUID();
  await db.insert(deadLetters).values({ id, body: { kind: "outbox", id: about }, arrivedAt: new Date() });
  return id;
}

const outboxRowOf = async (id: string) => (await db.select().from(outbox).where(eq(outbox.id, id)))[0];
const failureOf = async (id: string) =>
  (await listFailures(owner())).items.find((failure) => failure.id === id);

describe("the desk", () => {
  test("has the latest drafts, the next publication, and the last and next episode, in two statements", async () => {
    const { id } = await createArticle(owner(), anArticle({ title: "A late draft" }));
    const soon = Date.now() + HOUR;
    const audio = await storedAudio();
    const next = await createEpisode(
      owner(),
      anEpisode({ title: "Next hour", status: "scheduled", scheduledFor: soon, audioFileId: audio.id }),
    );
    const article = await createArticle(
      owner(),
      anArticle({ title: "Within the hour", status: "scheduled", scheduledFor: soon - 1000 }),
    );
    const last = await publishedEpisode({ title: "Just out" });
    const ctx = owner();
    const desk = await readDesk(ctx);
    expect(ctx.d1.statements).toBeLessThanOrEqual(2);
    expect(desk.drafts.article.count).toBeGreaterThan(0);
    expect(desk.drafts.article.latest[0]).toMatchObject({ id, title: "A late draft" });
    expect(desk.scheduled.slice(0, 2)).toEqual([
      { kind: "article", id: article.id, title: "Within the hour", at: soon - 1000 },
      { kind: "episode", id: next.id, title: "Next hour", at: soon },
    ]);
    expect(desk.nextEpisode).toEqual({ id: next.id, title: "Next hour", at: soon });
    expect(desk.lastEpisode).toMatchObject({ id: last.id, title: "Just out" });
    await deleteEpisode(owner(), next.id);
    await deleteArticle(owner(), article.id);
  });

  test("reads few rows, however many drafts there are", async () => {
    await createArticle(owner(), anArticle());
    const many = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)`;
    const columns = sql`guid, excerpt, status, tags, image_alt, meta_title, meta_description, meta_keywords, reading_minutes,
      source, created_at, updated_at, embedded_file_ids, content, content_html, content_text`;
    await db.run(sql`insert into articles (slug, title, ${columns}) ${many}
      select 'many-drafts-' || i, 'One of many', ${sql.raw(
        "null, excerpt, status, tags, image_alt, meta_title, meta_description, meta_keywords, reading_minutes, source, created_at, updated_at, embedded_file_ids, content, content_html, content_text",
      )} from n, (select * from articles where status = 'draft' limit 1)`);
    const ctx = counting();
    const { drafts } = await readDesk(ctx);
    expect(drafts.article.count).toBe(COUNTED);
    expect(ctx.d1.rowsRead).toBeGreaterThan(0);
    expect(ctx.d1.rowsRead).toBeLessThanOrEqual(100);
    await db.run(sql`delete from articles where slug like 'many-drafts-%'`);
  });

  test("counts unread enquiries for users with the audience capability", async () => {
    const before = (await readDesk(owner())).fromVisitors!;
    await anEnquiry({ kind: "application", status: "pending" });
    await anEnquiry({ kind: "application", status: "rejected" });
    await anEnquiry({ status: "new" });
    await anEnquiry({ status: "new", isSpam: true });
    await anEnquiry({ status: "new", confirmedAt: null });
    await anEnquiry({ status: "read" });
    await anEnquiry({ kind: "booking", status: "new" });
    await aComment({ status: "pending" });
    await aComment({ status: "unconfirmed" });
    expect((await readDesk(owner())).fromVisitors).toEqual({
      applications: before.applications + 1,
      messages: before.messages + 1,
      bookings: before.bookings + 1,
      comments: before.comments + 1,
    });
    expect((await readDesk(editor())).fromVisitors).toBeNull();
  });

  test("reads at most a hundred entries of enquiries", async () => {
    const quiet = counting();
    await readDesk(quiet);
    await db.run(sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
      insert into enquiries (kind, status, name, email, title, fields, digest, confirmed_at, created_at, updated_at)
      select 'message', 'new', 'Many', 'many@example.com', 'T', '{}', i, 1, 1, 1 from n`);
    await db.run(sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
      insert into comments (content_type, content_id, name, email, text, status, created_at, updated_at)
      select 'article', 1, 'Many', 'many@example.com', 'T', 'pending', 1, 1 from n`);
    const busy = counting();
    const { fromVisitors } = await readDesk(busy);
    expect(fromVisitors).toMatchObject({ messages: COUNTED_OF_VISITORS, comments: COUNTED_OF_VISITORS });
    expect(busy.d1.statements).toBe(quiet.d1.statements);
    expect(busy.d1.rowsRead).toBeGreaterThan(2 * COUNTED_OF_VISITORS);
    expect(busy.d1.rowsRead).toBeLessThanOrEqual(quiet.d1.rowsRead + 2 * COUNTED_OF_VISITORS + 2);
    await db.delete(enquiries).where(eq(enquiries.email, "many@example.com"));
    await db.delete(comments).where(eq(comments.email, "many@example.com"));
  });

  test("names the episodes whose transcript is a program’s code, without reading the others", async () => {
    const { id } = await publishedEpisode({ title: "Raw" });
    const plain = await publishedEpisode({ title: "Plain", transcript: "<laughs> Hi." });
    const named = async () => {
      const ctx = owner();
      const { rawTranscripts } = await readDesk(ctx);
      return { titles: rawTranscripts.map(({ title }) => title), rowsRead: ctx.d1.rowsRead };
    };
    const before = await named();
    // As a version stored them that did not know their formats.
    const store = (transcript: string) =>
      db.update(episodes).set({ transcript, cues: [] }).where(eq(episodes.id, id));
    for (const raw of [
      '{"a": ',
      '[{"a": 1',
      '<?xml version="1.0"?>',
      "<TT>",
      "[Script Info]",
      String.raw`{\rtf1}`,
    ]) {
      await store(raw);
      expect((await named()).titles).toEqual(["Raw"]);
    }
    expect((await named()).rowsRead - before.rowsRead).toBeLessThanOrEqual(3);
    await store("[Music] Hi.");
    expect((await named()).titles).toEqual([]);
    await deleteEpisode(owner(), id);
    await deleteEpisode(owner(), plain.id);
  });

  test("shows an editor neither failures nor first steps", async () => {
    await failedMail();
    expect((await readDesk(owner())).failed!.count).toBeGreaterThan(0);
    expect(await readDesk(editor())).toMatchObject({
      failed: null,
      stoppedLetters: null,
      firstSteps: null,
    });
    await expect(readDesk(visitorContext())).rejects.toMatchObject({ code: "unauthenticated" });
    await expect(listFailures(editor())).rejects.toMatchObject({ code: "forbidden" });
  });
});

describe("a failed delivery or message", () => {
  test("is listed with its error, and is delivered when it is tried again", async () => {
    const id = await failedMail("Tried again");
    expect(await failureOf(id)).toMatchObject({
      kind: "delivery",
      topic: "mail",
      mail: { to: "a@example.com", subject: "Tried again" },
      attempts: 8,
      error: "550 no such mailbox",
    });
    await retryDelivery(owner({ jobs }), id);
    expect(await failureOf(id)).toBeUndefined();
    expect(await outboxRowOf(id)).toMatchObject({ failedAt: null, attempts: 0 });
    await deliverOutbox(owner(), id, handlers);
    expect((await outboxRowOf(id))?.doneAt).not.toBeNull();
    await expect(retryDelivery(owner(), id)).rejects.toMatchObject({ code: "not_found" });
    await expect(dismissDelivery(owner(), id)).rejects.toMatchObject({ code: "not_found" });
  });

  test("is retried with all others after an outage", async () => {
    const ids = [await failedMail(), await failedMail()];
    const { retried } = await retryDeliveries(owner({ jobs }));
    expect(retried).toBeGreaterThanOrEqual(2);
    for (const id of ids) expect(await outboxRowOf(id)).toMatchObject({ failedAt: null, attempts: 0 });
    expect(await retryDeliveries(owner())).toEqual({ retried: 0 });
    await expect(retryDeliveries(editor())).rejects.toMatchObject({ code: "forbidden" });
  });

  test("is removed permanently when it is dismissed", async () => {
    const id = await failedMail();
    await dismissDelivery(owner(), id);
    expect(await outboxRowOf(id)).toBeUndefined();
  });

  test("counts messages that failed their retries; trying again has their delivery done", async () => {
    const id = await failedMail();
    const before = (await readDesk(owner())).failed!.count;
    const letter = await deadLetter(id);
    expect((await readDesk(owner())).failed!.count).toBe(Math.min(before + 1, COUNTED));
    expect(await failureOf(letter)).toMatchObject({ kind: "message", topic: "mail" });
    const sent: unknown[] = [];
    const noting = { sendBatch: async (messages: unknown[]) => void sent.push(...messages) } as never;
    await retryMessage(owner({ jobs: noting }), letter);
    expect(sent).toEqual([{ body: { kind: "outbox", id } }]);
    expect(await failureOf(letter)).toBeUndefined();
    expect(await outboxRowOf(id)).toMatchObject({ failedAt: null });
  });

  test("stores its analytics events again through their own queue", async () => {
    const body = { kind: "events", id: "a-batch", events: [] };
    await owner().db.insert(deadLetters).values({ id: "lost", body, arrivedAt: new Date() });
    const full = { send: () => Promise.reject(new Error("The queue is full.")) } as never;
    await expect(retryMessage(owner({ events: full }), "lost")).rejects.toThrow("The queue is full.");
    expect(await failureOf("lost")).toBeDefined();
    const sent: unknown[] = [];
    await retryMessage(
      owner({ events: { send: async (message: unknown) => void sent.push(message) } as never }),
      "lost",
    );
    expect(sent).toEqual([body]);
    expect(await failureOf("lost")).toBeUndefined();
  });

  test("is retried by its original queue: a letter's slice, an import's item, a step of a pass", async () => {
    const sent: [string, unknown][] = [];
    const queue = (name: string) =>
      ({ sendBatch: async (messages: unknown[]) => void sent.push([name, ...messages] as never) }) as never;
    const ctx = owner({ jobs: queue("jobs"), letters: queue("letters"), imports: queue("imports") });
    const row = {
      id: crypto.randomUUID(),
      topic: "letter-slice",
      payload: { letterId: 0 },
      createdAt: ctx.now,
    };
    await ctx.db.insert(outbox).values({ ...row, notBefore: ctx.now, failedAt: ctx.now, lastError: "No." });
    await retryDelivery(ctx, row.id);
    await retryMessage(ctx, await deadLetter(row.id));
    const body = { kind: "import", id: "7" };
    await ctx.db.insert(deadLetters).values({ id: "item", body, arrivedAt: ctx.now });
    await retryMessage(ctx, "item");
    const step = { kind: "tick", id: "backups", until: 5 };
    await ctx.db.insert(deadLetters).values({ id: "step", body: step, arrivedAt: ctx.now });
    await retryMessage(ctx, "step");
    const slice = { body: { kind: "outbox", id: row.id } };
    expect(sent).toEqual([
      ["letters", slice],
      ["letters", slice],
      ["imports", { body }],
      ["jobs", { body: step }],
    ]);
  });

  test("keeps a delivery whose message is dismissed", async () => {
    const id = await failedMail();
    const [letter, stray] = [await deadLetter(id), await deadLetter("gone")];
    expect(await failureOf(stray)).toMatchObject({ topic: null });
    await dismissMessage(owner(), letter);
    await dismissMessage(owner(), stray);
    expect(await outboxRowOf(id)).toBeDefined();
    await expect(dismissMessage(owner(), stray)).rejects.toMatchObject({ code: "not_found" });
  });

  test("is found through an index", async () => {
    expect((await plansOf((ctx) => listFailures(ctx))).join("; ")).toContain("outbox_failed");
  });
});

describe("the first steps", () => {
  const steps = async () => (await readDesk(owner())).firstSteps;

  beforeAll(() => db.delete(deskTicks));

  test("are ticked automatically, and then disappear", async () => {
    await updateSite(owner(), { name: "Rostrum", email: siteDefaults.email });
    expect(await steps()).toMatchObject({ name: false, mail: false, directories: [] });
    await updateSite(owner(), {
      name: "Plain Ground",
      email: { ...siteDefaults.email, fromEmail: "letters@example.com" },
    });
    await savedShow({ artworkFileId: (await storedImage()).id });
    await publishedEpisode();
    expect(await steps()).toMatchObject({ name: true, mail: true, artwork: true, episode: true });
    for (const name of directoryKeys) await addTick(owner(), { name });
    expect(await steps()).toBeNull();
    await removeTick(owner(), { name: "apple" });
    expect((await steps())?.directories).not.toContain("apple");
  });

  test("count the demo's examples until the owner replaces them", async () => {
    const setLoaded = (demoLoadedAt: Date | null) =>
      db.update(settings).set({ demoLoadedAt }).where(eq(settings.id, 1));
    await updateSite(owner(), { name: demo.name });
    await savedShow({ artworkFileId: (await storedImage()).id });
    await publishedEpisode();
    await setLoaded(new Date(Date.now() + 60_000));
    expect(await steps()).toMatchObject({
      name: false,
      artwork: false,
      episode: false,
      examples: ["name", "artwork", "episode"],
    });
    await updateSite(owner(), { name: "Plain Ground" });
    expect(await steps()).toMatchObject({ name: true, examples: ["artwork", "episode"] });
    await setLoaded(null);
    expect(await steps()).toMatchObject({ artwork: true, episode: true, examples: [] });
  });

  test("can be dismissed and shown again", async () => {
    await addTick(owner(), { name: "dismissed" });
    await addTick(owner(), { name: "dismissed" });
    expect(await steps()).toBeNull();
    expect(await areStepsDismissed(owner())).toBe(true);
    await removeTick(owner(), { name: "dismissed" });
    expect(await steps()).not.toBeNull();
    expect(await areStepsDismissed(owner())).toBe(false);
  });

  test("recognise default names, and each directory's own page", () => {
    expect(sampleNames).toEqual([siteDefaults.name, demo.name]);
    expect(directories.map(({ key }) => key)).toEqual([...directoryKeys]);
  });
});

describe("the check of the feed", () => {
  test("reports errors in the feed, once for each version of it", async () => {
    await savedShow({ artworkFileId: null });
    await publishedEpisode({ title: "Heard of" });
    const ctx = editor();
    const check = await checkFeed(ctx);
    expect(check).toMatchObject({ state: "ok", maxBytes: 1_500_000 });
    if (check.state !== "ok") throw new Error("unreachable");
    expect(check.items).toBeGreaterThan(0);
    expect(check.bytes).toBeGreaterThan(1000);
    expect(check.problems).toContain("The podcast has no artwork, and Apple Podcasts requires it.");
    const again = owner();
    expect(await checkFeed(again)).toEqual(check);
    expect(again.d1.statements).toBeLessThan(ctx.d1.statements);
    await savedShow({ artworkFileId: (await storedImage()).id });
    expect(await checkFeed(owner())).not.toEqual(check);
  });

  test("reports missing audio, and the new address of a feed that has moved", async () => {
    const audio = await storedAudio();
    await publishedEpisode({ title: "Silent now", audioFileId: audio.id });
    const media = { head: async () => null } as never;
    expect(await checkFeed(owner({ media }))).toMatchObject({
      problems: expect.arrayContaining(["The audio of “Silent now” is missing."]) as string[],
    });
    await savedShow({ newFeedUrl: "https://feeds.example/x", redirectsFeed: true });
    expect(await checkFeed(owner())).toEqual({ state: "moved", to: "https://feeds.example/x" });
    await savedShow();
    await expect(checkFeed(visitorContext())).rejects.toMatchObject({ code: "unauthenticated" });
  });

  test("says the same though KV does not keep it", async () => {
    await savedShow({ copyright: crypto.randomUUID() });
    const away = () => Promise.reject(new Error("KV is away"));
    expect(await checkFeed(owner({ kv: { get: away, put: away } as never }))).toMatchObject({ state: "ok" });
  });

  test("reports a feed that does not render", async () => {
    await savedShow({ copyright: crypto.randomUUID() });
    const ctx = owner({ media: { head: () => Promise.reject(new Error("R2 is away")) } as never });
    expect(await checkFeed(ctx)).toEqual({ state: "broken" });
  });
});
