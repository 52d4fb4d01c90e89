import { env } from "cloudflare:workers";
import { eq, lte } from "drizzle-orm";
import { beforeEach, describe, expect, it, test } from "vitest";
import { pruneAnalytics } from "#worker/analytics/commands.ts";
import { storeMessages } from "#worker/analytics/store-messages.ts";
import { dayOf, dayOfIso, isoDay, quarterOf } from "#worker/analytics/days.ts";
import { readEpisodeAnalytics } from "#worker/analytics/episode-queries.ts";
import { exportAnalytics } from "#worker/analytics/export.ts";
import type { AnalyticsMessage } from "#worker/analytics/messages.ts";
import { readCountingReport, readMeasuredFigures } from "#worker/analytics/public-queries.ts";
import { readAnalytics } from "#worker/analytics/queries.ts";
import { analyticsEvents, analyticsZones, downloads } from "#worker/analytics/table.ts";
import { readDesk } from "#worker/desk/queries.ts";
import { createLetter } from "#worker/letters/commands.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import {
  anAddress,
  anEvent,
  audioKeyOf,
  counted,
  DAY,
  downloadsOf,
  queued,
  storeDownloads,
} from "./support/analytics.ts";
import { contextAs, jobContext, ownerContext, visitorContext } from "./support/client.ts";
import { publishedEpisode } from "./support/factories.ts";
import { WITHOUT_FIGURES } from "./support/figures.ts";

const { db } = jobContext();
const HOUR = 3_600_000;
const setZone = (timeZone: string) => updateSite(ownerContext(), { timeZone });

let episode: Awaited<ReturnType<typeof publishedEpisode>>;
beforeEach(async () => {
  await env.DB.batch(
    [...WITHOUT_FIGURES, "delete from analytics_salts"].map((statement) => env.DB.prepare(statement)),
  );
  await updateSite(ownerContext(), siteDefaults);
  episode = await publishedEpisode({ publishedAt: Date.parse("2026-01-01T00:00:00Z") });
});

const download = async (at: number, { listener = crypto.randomUUID() as string } = {}) =>
  storeDownloads(await audioKeyOf(episode.id), {
    quarter: quarterOf(at),
    listeners: [listener],
    ctx: jobContext({ now: new Date(at) }),
  });

/** A view with what follows it, by a visitor of their own, and a download: at each of the times. */
async function countAt(...times: number[]) {
  const messages: AnalyticsMessage[] = [];
  const file = await audioKeyOf(episode.id);
  for (const at of times) {
    const events = [
      anEvent("page_view", { metadata: { referrer: "https://news.example/" } }),
      anEvent("scroll_depth"),
    ];
    messages.push(...(await queued(events, { now: new Date(at) })));
    messages.push(downloadsOf(file, { quarter: quarterOf(at), listeners: [crypto.randomUUID()] }));
  }
  for (let first = 0; first < messages.length; first += QUEUE_BATCH)
    await storeMessages(jobContext(), messages.slice(first, first + QUEUE_BATCH));
}
/** Messages, as wrangler.toml says. */
const QUEUE_BATCH = 100;

const report = (from: string, to: string, now: number) =>
  readAnalytics(ownerContext({ now: new Date(now) }), { from, to });
const figuresOf = ({ days }: Awaited<ReturnType<typeof report>>) =>
  Object.fromEntries(days.map(({ day, views, downloads: heard }) => [day, [views, heard]]));

/** Midnights between the 19th and the 20th, with the distance from UTC that the zones have on that day. */
const midnights = [
  ["Pacific/Kiritimati", "2026-11-20T00:00:00+14:00"],
  ["Pacific/Chatham", "2026-11-20T00:00:00+13:45"],
  ["Australia/Sydney", "2026-11-20T00:00:00+11:00"],
  ["Australia/Adelaide", "2026-11-20T00:00:00+10:30"],
  ["Australia/Eucla", "2026-11-20T00:00:00+08:45"],
  ["Asia/Kathmandu", "2026-11-20T00:00:00+05:45"],
  ["Asia/Kolkata", "2026-11-20T00:00:00+05:30"],
  ["UTC", "2026-11-20T00:00:00Z"],
  ["America/St_Johns", "2026-11-20T00:00:00-03:30"],
  ["America/Los_Angeles", "2026-11-20T00:00:00-08:00"],
  ["Pacific/Pago_Pago", "2026-11-20T00:00:00-11:00"],
] as const;

test.each(midnights)("a day begins and ends at midnight in %s", async (zone, iso) => {
  await setZone(zone);
  const midnight = Date.parse(iso);
  await countAt(midnight - 1, midnight, midnight);
  const shown = await report("2026-11-18", "2026-11-21", midnight + 30 * HOUR);
  expect(figuresOf(shown)).toEqual({
    "2026-11-18": [0, 0],
    "2026-11-19": [1, 1],
    "2026-11-20": [2, 2],
    "2026-11-21": [0, 0],
  });
  const second = await report("2026-11-20", "2026-11-20", midnight + 30 * HOUR);
  expect(second).toMatchObject({
    cards: { views: { value: 2, before: 1 } },
    content: [{ contentId: "/", views: 2 }],
    sources: [{ name: "news.example", count: 2 }],
    actions: [{ name: "scroll_depth:50", count: 2 }],
    downloads: {
      total: { value: 2, before: 1 },
      apps: [{ name: "Overcast", count: 2 }],
      episodes: [{ id: episode.id, downloads: 2 }],
    },
  });
});

describe("a day on which clocks change", () => {
  test.each([
    ["Australia/Adelaide", "2026-10-04", 23],
    ["Australia/Adelaide", "2026-04-05", 25],
    ["America/New_York", "2026-03-08", 23],
    ["America/New_York", "2026-11-01", 25],
    // This day has no midnight.
    ["America/Santiago", "2026-09-06", 23],
    // Clocks go forward by half an hour.
    ["Australia/Lord_Howe", "2026-10-04", 23.5],
  ])("in %s, %s has %d hours", async (zone, day, hours) => {
    await setZone(zone);
    const noon = Date.parse(`${day}T12:00:00Z`);
    const messages: AnalyticsMessage[] = [];
    // Two events an hour, at half hours, for more than three days.
    for (let at = noon - 48 * HOUR; at < noon + 48 * HOUR; at += HOUR / 2) {
      const network = crypto.randomUUID();
      messages.push({
        kind: "events",
        id: network,
        quarter: quarterOf(at),
        network,
        visitor: network,
        events: [
          {
            key: network,
            type: "page_view",
            kind: "page",
            content: "/",
            detail: "",
            seconds: 0,
            isAttentive: false,
            sentAt: at,
            source: "",
          },
        ],
      });
    }
    await storeMessages(jobContext(), messages);
    const [before, after] = [-1, 1].map((days) => isoDay(dayOfIso(day) + days)) as [string, string];
    const shown = await report(before, after, noon + 5 * DAY);
    expect(shown.days.map(({ views }) => views)).toEqual([48, hours * 2, 48]);
    expect(shown.changedClocks).toEqual({ [day]: hours });
  });
});

it("knows a visitor for the owner's day, and a listener for a day of UTC", async () => {
  await setZone("Australia/Sydney");
  // Ten to eleven and ten past eleven in the morning: between them a day of UTC ends.
  const [early, late] = ["2026-11-20T10:50:00+11:00", "2026-11-20T11:10:00+11:00"].map((iso) =>
    Date.parse(iso),
  ) as [number, number];
  const address = anAddress();
  for (const at of [early, late]) {
    await counted([anEvent()], { now: new Date(at), address });
    await download(at, { listener: "the-same" });
    await download(at, { listener: "the-same" });
  }
  const shown = await report("2026-11-20", "2026-11-20", late);
  expect(shown.cards).toMatchObject({ views: { value: 2 }, visitors: { value: 1 } });
  expect(shown.downloads.total.value).toBe(2);
  await counted([anEvent()], { now: new Date(late + DAY), address });
  expect((await report("2026-11-20", "2026-11-21", late + DAY)).cards.visitors.value).toBe(2);
});

describe("today and yesterday", () => {
  const midnight = Date.parse("2026-11-20T00:00:00+10:30");
  beforeEach(() => setZone("Australia/Adelaide"));

  it("are the owner's, on the desk and in the panel", async () => {
    for (const at of [midnight - HOUR, midnight - HOUR, midnight + 1]) await download(at);
    const at = (now: number) => ({ now: new Date(now) });
    const latest = async (now: number) => [
      (await readDesk(ownerContext(at(now)))).downloads,
      (await readAnalytics(contextAs("editor", at(now)), { days: "7" })).downloads.latest,
    ];
    const evening = { yesterday: null, today: 2 };
    const morning = { yesterday: 2, today: 1 };
    expect(await latest(midnight + HOUR)).toEqual([morning, morning]);
    expect(await latest(midnight + DAY)).toEqual([
      { yesterday: 1, today: 0 },
      { yesterday: 1, today: 0 },
    ]);
    expect(await latest(midnight + 5 * DAY)).toEqual([
      { yesterday: 0, today: 0 },
      { yesterday: 0, today: 0 },
    ]);
    await env.DB.prepare("delete from download_totals where start = ?")
      .bind(dayOf(Date.parse("2026-11-20")))
      .run();
    expect(await latest(midnight - 1)).toEqual([evening, evening]);
  });

  it("are null before the first download, in the panel too", async () => {
    expect((await readDesk(ownerContext())).downloads).toBeNull();
    expect((await readAnalytics(ownerContext())).downloads.latest).toBeNull();
  });

  it("end all periods, of the public pages too", async () => {
    for (const at of [midnight - 1, midnight]) await countAt(at);
    const now = { now: new Date(midnight + HOUR) };
    expect((await readAnalytics(ownerContext(now), { days: "7" })).today).toBe("2026-11-20");
    expect((await readCountingReport(visitorContext(now))).period.to).toBe("2026-11-20");
    expect(await readMeasuredFigures(visitorContext(now))).toMatchObject({ asOf: "2026-11-19", views: 1 });
    const rows = (await exportAnalytics(ownerContext(now), { days: "7" })).trim().split("\r\n");
    expect(rows.slice(-2)).toEqual(["2026-11-19,1,1,,100,1", "2026-11-20,1,1,,100,1"]);
    await expect(
      readAnalytics(ownerContext({ now: new Date(midnight - 1) }), { from: "2026-11-20", to: "2026-11-20" }),
    ).rejects.toMatchObject({ code: "invalid", field: "from" });
  });

  it("begin an episode's days, and those of letters", async () => {
    episode = await publishedEpisode({ publishedAt: midnight - HOUR });
    await download(midnight - 1);
    await download(midnight);
    const now = { now: new Date(midnight + HOUR) };
    const { downloads: since, isLastToday } = await readEpisodeAnalytics(ownerContext(now), episode.id);
    expect(since.map((day) => day.downloads)).toEqual([1, 1]);
    expect(isLastToday).toBe(true);
    const { id } = await createLetter(ownerContext(), { subject: "Of rent", content: "Words." });
    await env.DB.prepare("update letters set started_at = ?, recipients = 5, sent = 4 where id = ?")
      .bind(midnight - 1, id)
      .run();
    const lettersOf = async (day: string) => (await report(day, day, midnight + HOUR)).letters;
    expect(await lettersOf("2026-11-19")).toMatchObject([{ id }]);
    expect(await lettersOf("2026-11-20")).toEqual([]);
  });
});

describe("another time zone", () => {
  /** An hour apart, for nine days. */
  const START = Date.parse("2026-11-10T00:15:00Z");
  const HOURS = 9 * 24;
  const times = Array.from({ length: HOURS }, (_, at) => START + at * HOUR);
  const now = START + HOURS * HOUR;

  /** Dates as another program writes them. */
  function expected(zone: string) {
    const format = new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" });
    const byDay = Map.groupBy(times, (at) => format.format(at));
    return Object.fromEntries([...byDay].map(([day, { length }]) => [day, [length, length]]));
  }
  const shownFrom = async (from: string) => {
    const shown = await report(from, "2026-11-30", now + 2 * DAY);
    return Object.fromEntries(Object.entries(figuresOf(shown)).filter(([, [views]]) => views! > 0));
  };
  const follow = () =>
    storeMessages(jobContext({ now: new Date(now) }), [{ kind: "zone", id: crypto.randomUUID() }]);

  const countAll = () => countAt(...times);

  const sums = async () => {
    const { results } = await env.DB.prepare(
      `select 'totals' as name, span, sum(views) as a, sum(visits) as b, sum(engaged) as c from analytics_totals group by 1, 2
      union all select 'counts', span, sum(count), 0, 0 from analytics_counts group by 1, 2
      union all select 'sources', span, sum(views), 0, 0 from analytics_sources group by 1, 2
      union all select facet, span, sum(downloads), 0, 0 from download_totals group by 1, 2`,
    ).all();
    return results;
  };

  it("counts days again whose events are all stored, and keeps all sums", { timeout: 120_000 }, async () => {
    await setZone("Australia/Sydney");
    await countAll();
    expect(await shownFrom("2026-11-01")).toEqual(expected("Australia/Sydney"));
    const before = await sums();
    for (const zone of ["Asia/Kathmandu", "America/Los_Angeles", "Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
      await setZone(zone);
      await follow();
      expect(await shownFrom("2026-11-01"), zone).toEqual(expected(zone));
      expect(await sums(), zone).toEqual(before);
      const shown = await report("2026-11-01", "2026-11-30", now);
      expect(shown.formerZones).toEqual([]);
      // The ranking reads other rows than the days.
      expect(shown.content[0]).toMatchObject({ contentId: "/", views: HOURS });
      expect(shown.downloads.episodes).toMatchObject([{ id: episode.id, downloads: HOURS }]);
      const part = await report("2026-11-12", "2026-11-13", now);
      expect([part.content[0]!.views, part.downloads.episodes[0]!.downloads]).toEqual([48, 48]);
    }
  });

  it("keeps days whose events are deleted, and names their zone", async () => {
    await updateSite(ownerContext(), { analytics: { ...siteDefaults.analytics, keepDays: 7 } });
    await setZone("Australia/Sydney");
    await countAll();
    await pruneAnalytics(jobContext({ now: new Date(now + 2 * DAY) }));
    const before = await sums();
    const days = await shownFrom("2026-11-01");
    await setZone("America/Los_Angeles");
    await follow();
    expect(await sums()).toEqual(before);
    const shown = await report("2026-11-01", "2026-11-30", now);
    const [{ until, timeZone }] = shown.formerZones as [{ until: string; timeZone: string }];
    expect([shown.formerZones.length, timeZone]).toEqual([1, "Australia/Sydney"]);
    const after = await shownFrom("2026-11-01");
    const wanted = expected("America/Los_Angeles");
    for (const [day, figures] of Object.entries(after)) {
      // The last of the former days has the hours, too, that are now of it.
      if (day < until) expect(figures, day).toEqual(days[day]);
      if (day > until) expect(figures, day).toEqual(wanted[day]);
    }
    expect((await report("2026-11-18", "2026-11-30", now)).formerZones).toEqual([]);
  });

  it("names no zone for days that are in the site's own again", async () => {
    await setZone("Australia/Sydney");
    await countAt(...times.slice(0, 48));
    // The older half cannot be recounted.
    await db
      .update(analyticsEvents)
      .set({ quarter: null })
      .where(lte(analyticsEvents.day, dayOf(START)));
    await db
      .update(downloads)
      .set({ quarter: null })
      .where(lte(downloads.ownerDay, dayOf(START)));
    await setZone("Australia/Perth");
    await follow();
    const formerZones = async () => (await report("2026-11-01", "2026-11-30", now)).formerZones;
    expect(await formerZones()).toMatchObject([{ timeZone: "Australia/Sydney" }]);
    await setZone("Australia/Sydney");
    await follow();
    expect(await formerZones()).toEqual([]);
  });

  it("keeps the days of UTC that were counted before an update", async () => {
    await setZone("UTC");
    await countAt(...times.slice(0, 48));
    // As the update finds them.
    await db.batch([
      db.update(analyticsEvents).set({ quarter: null }),
      db.update(downloads).set({ quarter: null }),
      db.delete(analyticsZones),
      db.insert(analyticsZones).values({ day: 0, timeZone: "UTC" }),
    ]);
    const before = await shownFrom("2026-11-01");
    await setZone("Australia/Sydney");
    await countAt(START + 48 * HOUR);
    expect(await shownFrom("2026-11-01")).toEqual({ ...before, "2026-11-12": [1, 1] });
    const zones = await db.select().from(analyticsZones);
    expect(zones.map(({ timeZone }) => timeZone)).toEqual(["UTC", "Australia/Sydney"]);
    expect((await report("2026-11-01", "2026-11-30", now)).formerZones).toEqual([
      { timeZone: "UTC", until: isoDay(zones[1]!.day - 1) },
    ]);
  });

  it("stores messages that an earlier version queued, on their day of UTC", async () => {
    const day = dayOf(START);
    await storeMessages(jobContext(), [
      {
        kind: "downloads",
        id: "former",
        parts: [],
        rejections: [{ day, of: "downloads", reason: "robot", count: 2 }],
      },
    ] as never);
    const [row] = await db.all<{ day: number }>("select day from analytics_rejections");
    expect(row).toEqual({ day });
  });

  it("is queued for the figures when it is saved", async () => {
    const sent: unknown[] = [];
    const work: Promise<unknown>[] = [];
    const ctx = ownerContext({
      events: { send: async (body: unknown) => void sent.push(body) } as never,
      later: (promise) => void work.push(promise),
    });
    await updateSite(ctx, { timeZone: "Asia/Kolkata" });
    await Promise.all(work);
    expect(sent).toMatchObject([{ kind: "zone" }]);
  });
});

test("a download is remembered by its day of UTC, whichever day it is counted on", async () => {
  await setZone("Pacific/Kiritimati");
  const at = Date.parse("2026-11-20T12:00:00Z");
  await download(at);
  const [row] = await db.select().from(downloads).where(eq(downloads.episodeId, episode.id));
  expect(row).toMatchObject({ day: dayOf(at), ownerDay: dayOf(at) + 1, quarter: quarterOf(at) });
});
