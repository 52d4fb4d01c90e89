import { createExecutionContext, createScheduledController, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { and, eq, inArray } from "drizzle-orm";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { createArticle, updateArticle } from "#worker/articles/commands.ts";
import { articles } from "#worker/articles/table.ts";
import { createEpisode } from "#worker/episodes/commands.ts";
import { episodes } from "#worker/episodes/table.ts";
import { tick } from "#worker/jobs.ts";
import { outbox } from "#worker/platform/table.ts";
import { publications } from "#worker/publications/table.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { WEBSUB_TOPIC } from "#worker/websub/ping.ts";
import { jobContext, ownerContext } from "./support/client.ts";
import { anEpisode, savedShow, storedAudio } from "./support/factories.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const { db } = jobContext();
const now = Date.now();

beforeAll(async () => {
  await savedShow();
  await updateSite(ownerContext(), { hubUrl: `http://127.0.0.1:${inject("hub")}/due/ok` });
});

/** The minute's cron, as the platform fires it for that time. */
async function tickAt(at: number) {
  const execution = createExecutionContext();
  await tick(createScheduledController({ cron: "* * * * *", scheduledTime: new Date(at) }), env, execution);
  await waitOnExecutionContext(execution);
}

let count = 0;
const plan = (at: number) => ({
  status: "scheduled" as const,
  scheduledFor: at,
  title: `Planned ${++count}`,
});

async function planBoth(at: number) {
  const article = await createArticle(ownerContext(), plan(at));
  const audioFileId = (await storedAudio()).id;
  const episode = await createEpisode(ownerContext(), anEpisode({ ...plan(at), audioFileId }));
  return { article: article.id, episode: episode.id };
}

async function statesOf({ article, episode }: { article: number; episode: number }) {
  const columns = (table: typeof articles | typeof episodes) => ({
    status: table.status,
    publishedAt: table.publishedAt,
    scheduledFor: table.scheduledFor,
  });
  const [ofArticle] = await db.select(columns(articles)).from(articles).where(eq(articles.id, article));
  const [ofEpisode] = await db.select(columns(episodes)).from(episodes).where(eq(episodes.id, episode));
  return [ofArticle, ofEpisode];
}

const noted = (kind: "article" | "episode", ...ids: number[]) =>
  db
    .select()
    .from(publications)
    .where(and(eq(publications.kind, kind), inArray(publications.itemId, ids)));

const pings = () => db.select().from(outbox).where(eq(outbox.topic, WEBSUB_TOPIC));

const published = (at: number) => ({ status: "published", publishedAt: new Date(at), scheduledFor: null });

describe("a due item is published", () => {
  test("with the first tick that is not before it, dated as planned", async () => {
    const at = now + HOUR;
    const both = await planBoth(at);
    await tickAt(at - 1);
    expect((await statesOf(both)).map((row) => row?.status)).toEqual(["scheduled", "scheduled"]);
    expect(await noted("article", both.article)).toEqual([]);
    await tickAt(at);
    expect(await statesOf(both)).toEqual([published(at), published(at)]);
    expect(await noted("article", both.article)).toMatchObject([
      { wentOutAt: new Date(at), isPlanned: true },
    ]);
    expect(await noted("episode", both.episode)).toMatchObject([
      { wentOutAt: new Date(at), isPlanned: true },
    ]);
  });

  test("where ticks were missed for an hour, with the next one, all of it, dated as planned", async () => {
    const times = [2, 20, 59].map((minutes) => now + 2 * HOUR + minutes * MINUTE);
    const all = await Promise.all(times.map(planBoth));
    const next = now + 3 * HOUR;
    await tickAt(next);
    for (const [index, both] of all.entries()) {
      expect(await statesOf(both)).toEqual([published(times[index]!), published(times[index]!)]);
    }
    const ids = all.map(({ article }) => article);
    expect((await noted("article", ...ids)).map(({ wentOutAt }) => wentOutAt.getTime())).toEqual([
      next,
      next,
      next,
    ]);
  });

  test("once, also if crons overlap or one is late", async () => {
    const at = now + 5 * HOUR;
    const both = await planBoth(at);
    await db.delete(outbox);
    await Promise.all([tickAt(at), tickAt(at), tickAt(at + MINUTE), tickAt(at)]);
    expect(await statesOf(both)).toEqual([published(at), published(at)]);
    // One ping for each feed, and one note for each item, of one of the ticks.
    expect((await pings()).map(({ payload }) => (payload as { feed: string }).feed).toSorted()).toEqual([
      "/rss/essays.xml",
      "/rss/podcast.xml",
    ]);
    const [first] = await noted("article", both.article);
    await tickAt(at + 2 * MINUTE);
    expect(await noted("article", both.article)).toEqual([first]);
    expect(await pings()).toHaveLength(2);
  });

  test("once, if its schedule is saved again while the cron runs", async () => {
    const at = now + 7 * HOUR;
    const { article } = await planBoth(at);
    const saving = updateArticle(ownerContext({ now: new Date(at + 1000) }), article, {
      content: "Words.",
      status: "scheduled",
      scheduledFor: at,
    });
    const [, saved] = await Promise.allSettled([tickAt(at), saving]);
    // Either the save is first, and publishes as scheduled; or it is too late, and is refused.
    if (saved.status === "rejected") expect(saved.reason).toMatchObject({ code: "conflict" });
    const [state] = await statesOf({ article, episode: 0 });
    expect(state).toEqual(published(at));
    expect(await noted("article", article)).toHaveLength(1);
  });

  test("articles, even if episodes fail", async () => {
    const at = now + 9 * HOUR;
    const { article } = await planBoth(at);
    vi.spyOn(console, "error").mockImplementation(() => {});
    await env.DB.exec("alter table shows rename to away");
    try {
      await expect(tickAt(at)).rejects.toThrow("failed");
    } finally {
      await env.DB.exec("alter table away rename to shows");
    }
    const [state] = await statesOf({ article, episode: 0 });
    expect(state).toEqual(published(at));
    vi.restoreAllMocks();
  });
});
