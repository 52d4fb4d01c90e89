import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { pruneUnconfirmed } from "#worker/newsletter/commands.ts";
import { createPlaylist } from "#worker/playlists/commands.ts";
import { addItem } from "#worker/playlists/item-commands.ts";
import { addFavorite, updateProgress } from "#worker/playlists/listening-commands.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import { privacyPolicy } from "#worker/pages/legal.ts";
import type { Context } from "#worker/platform/context.ts";
import { pruneListeners, touchListener } from "#worker/playlists/retention.ts";
import { favorites, listeners, playlistItems, playlists, progress } from "#worker/playlists/table.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { jobContext } from "./support/client.ts";
import { aListener, listenerContext, manyEpisodes } from "./support/listeners.ts";
import { plansOf } from "./support/plans.ts";
import { confirmed, DAY, later, request, rowOf, setStatus, waiting } from "./support/newsletter.ts";

const { db } = jobContext();
const job = (milliseconds: number) => jobContext({ now: new Date(Date.now() + milliseconds) });

describe("the privacy policy", () => {
  it.each([
    "never confirmed: 30 days after you last asked for it",
    "requests for one: 30 days after they were handled",
    "no longer than 400 days after your browser last asked for them",
    "a session ends 14 days after its last use and 60 days after its start",
    "is kept for 365 days; those of failed sign-ins, requests for a new password and refused requests, for 30 days",
    "Counters against abuse: an hour, or a day for failed sign-ins",
    "24 months after they arrived, with our notes and answers",
    "If never confirmed by email: 8 days",
    "pause the letters for 30 days, or delete all your data",
    "If set aside as spam: 30 days. If never confirmed by email",
    "If not shown: 12 months after they arrived. If set aside as spam: 30 days.",
    "If set aside as spam: 30 days. If never confirmed: 7 days.",
    "If an address unsubscribes, bounces or marks letters as spam, we keep it",
  ])("states the retention period: %s", (words) => {
    expect(privacyPolicy.body.markdown).toContain(words);
  });

  it.each([
    "pause the letters for 30 days, or delete all your data",
    "Once we approve it, your name and comment are public. Your address never is.",
    "The same link deletes the comment at any time.",
    "You can delete your subscription and your comments yourself",
  ])("says what is done with it: %s", (words) => {
    expect(privacyPolicy.body.markdown).toContain(words);
  });

  it("names the months that the settings have from the start", () => {
    const { enquiries, comments } = siteDefaults.retention;
    expect(privacyPolicy.body.markdown).toContain(`Applications, messages and requests: ${enquiries} months`);
    expect(privacyPolicy.body.markdown).toContain(`If not shown: ${comments} months`);
  });

  it("says since when", () => {
    expect(privacyPolicy.since).toBe("2026-11-28");
  });
});

describe("an unconfirmed sign-up", () => {
  it("is deleted 30 days after its latest request", async () => {
    const { email } = await waiting();
    await request(later(20 * DAY), email);
    await pruneUnconfirmed(job(49 * DAY));
    expect(await rowOf(email)).toBeDefined();
    await pruneUnconfirmed(job(51 * DAY));
    expect(await rowOf(email)).toBeUndefined();
  });

  it("is deleted; confirmed, unsubscribed and complained addresses remain", async () => {
    const left = await waiting();
    await setStatus(left.email, "unsubscribed");
    const complained = await confirmed();
    await setStatus(complained.email, "complained");
    const kept = [(await confirmed()).email, left.email, complained.email];
    await pruneUnconfirmed(job(1000 * DAY));
    for (const email of kept) expect(await rowOf(email)).toBeDefined();
  });

  it("is deleted with all others, also after a large import", async () => {
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 4100)
      insert into subscribers (id, email, status, source, subscribed_at, consent, stamp)
      select 'old-' || i, 'old-' || i, 'active', 'footer', 0, '', '' from n`,
    ).run();
    const count = async () =>
      (
        await db
          .select()
          .from(subscribers)
          .where(eq(subscribers.subscribedAt, new Date(0)))
      ).length;
    expect(await count()).toBe(4100);
    const ctx = jobContext();
    await pruneUnconfirmed(ctx);
    expect(await count()).toBe(0);
    // Batches of 2,000.
    expect(ctx.d1.statements).toBe(3);
  });

  it("is found by its index, not among all subscribers", async () => {
    const plans = await plansOf((ctx) => pruneUnconfirmed(ctx));
    expect(plans).toContainEqual(expect.stringContaining("subscribers_by_state"));
    expect(plans.filter((plan) => plan.startsWith("SCAN"))).toEqual([]);
  });
});

const listenerIn = ({ actor }: Context) => (actor.kind === "listener" ? actor.id : "");

describe("a listener who never returns", () => {
  /** What a listener keeps, in rows. */
  async function rowsOf(listener: string) {
    const own = await db.select().from(playlists).where(eq(playlists.listener, listener));
    const items = await Promise.all(
      own.map(({ id }) => db.select().from(playlistItems).where(eq(playlistItems.playlistId, id))),
    );
    return {
      playlists: own.length,
      items: items.flat().length,
      favorites: (await db.select().from(favorites).where(eq(favorites.listener, listener))).length,
      progress: (await db.select().from(progress).where(eq(progress.listener, listener))).length,
      listeners: (await db.select().from(listeners).where(eq(listeners.id, listener))).length,
    };
  }
  const ALL = { playlists: 1, items: 1, favorites: 1, progress: 1, listeners: 1 };
  const NONE = { playlists: 0, items: 0, favorites: 0, progress: 0, listeners: 0 };

  async function aFullListener() {
    const ctx = await listenerContext();
    const [episode] = (await manyEpisodes(1)) as [number];
    const { id } = await createPlaylist(ctx, { name: "A list", description: "", isPublic: false });
    await addItem(ctx, id, { episodeId: episode });
    await addFavorite(ctx, episode);
    await updateProgress(ctx, episode, { progressSeconds: 1, completed: false });
    return { ctx, listener: listenerIn(ctx) };
  }

  it("is forgotten with all that they keep, 400 days after their last sign", async () => {
    const { listener } = await aFullListener();
    await pruneListeners(job(399 * DAY));
    expect(await rowsOf(listener)).toEqual(ALL);
    await pruneListeners(job(401 * DAY));
    expect(await rowsOf(listener)).toEqual(NONE);
  });

  it("loses nothing while still reading now and then", async () => {
    const { ctx, listener } = await aFullListener();
    await touchListener({ ...ctx, now: new Date(Date.now() + 300 * DAY) });
    await pruneListeners(job(401 * DAY));
    expect(await rowsOf(listener)).toEqual(ALL);
    await pruneListeners(job(701 * DAY));
    expect(await rowsOf(listener)).toEqual(NONE);
  });

  it.each(["/playlists", "/favorites", "/progress"])("is seen by a read of %s", async (path) => {
    await db.delete(listeners);
    const listener = aListener();
    const [episode] = (await manyEpisodes(1)) as [number];
    await listener.send("PUT", `/favorites/${episode}`);
    const long = new Date(Date.now() - 300 * DAY);
    await db
      .update(listeners)
      .set({ seenAt: long })
      .where(eq(listeners.seenAt, (await newest()).seenAt));
    await listener.read(path);
    await expect
      .poll(async () => (await newest()).seenAt.getTime(), { timeout: 60_000 })
      .toBeGreaterThan(Date.now() - DAY);
  });

  const newest = async () => {
    const rows = await db.select().from(listeners);
    return rows.reduce((one, other) => (other.seenAt >= one.seenAt ? other : one));
  };

  it.each([
    ["a playlist", (ctx: Context) => createPlaylist(ctx, { name: "A", description: "", isPublic: true })],
    ["a favourite", (ctx: Context, episode: number) => addFavorite(ctx, episode)],
    [
      "progress",
      (ctx: Context, episode: number) =>
        updateProgress(ctx, episode, { progressSeconds: 1, completed: false }),
    ],
  ])("is known by the first that they keep: %s", async (_what, write) => {
    const ctx = await listenerContext();
    const [episode] = (await manyEpisodes(1)) as [number];
    const listener = listenerIn(ctx);
    await write(ctx, episode);
    await write({ ...ctx, now: new Date(ctx.now.getTime() + 1) }, episode);
    expect(await db.select().from(listeners).where(eq(listeners.id, listener))).toEqual([
      { id: listener, seenAt: ctx.now },
    ]);
  });

  it("is written down once a day, and not at all while they keep nothing", async () => {
    const { ctx, listener } = await aFullListener();
    await touchListener({ ...ctx, now: new Date(ctx.now.getTime() + DAY / 2) });
    const [row] = await db.select().from(listeners).where(eq(listeners.id, listener));
    expect(row?.seenAt).toEqual(ctx.now);
    const stranger = await listenerContext();
    await touchListener(stranger);
    expect(
      await db
        .select()
        .from(listeners)
        .where(eq(listeners.id, listenerIn(stranger))),
    ).toEqual([]);
  });

  it("is found by an index, and so is their data", async () => {
    const plans = await plansOf((ctx) => pruneListeners(ctx));
    expect(plans).toContainEqual(expect.stringContaining("listeners_seen"));
    const scans = plans.filter((plan) => plan.startsWith("SCAN"));
    expect(scans.filter((plan) => !/cache_tags|subquery/i.test(plan))).toEqual([]);
  });
});
