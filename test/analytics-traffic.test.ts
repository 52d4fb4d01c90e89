import * as fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { storeMessages } from "#worker/analytics/store-messages.ts";
import type { AnalyticsMessage } from "#worker/analytics/messages.ts";
import {
  analyticsBatches,
  analyticsCounts,
  analyticsEvents,
  analyticsRejections,
  analyticsSources,
  analyticsTotals,
} from "#worker/analytics/table.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { anEvent, emptyCollector, queued, sendAtOnce } from "./support/analytics.ts";
import { publishedArticle } from "./support/articles.ts";
import { jobContext, ownerContext, SITE } from "./support/client.ts";
import { publishedEpisode } from "./support/factories.ts";

/**
 * Three hours of traffic around a midnight of the owner’s, sent, delivered and stored as it may happen, beside a plain count of what was
 * sent. The count shares nothing with the code that it checks: what counts as what is written down here once more.
 */

const { db } = jobContext();
const HOUR = 3_600_000;
const ZONE = "Australia/Adelaide";
/** Day 20,790, with which a block of five and one of thirty days begin, too. */
const MIDNIGHT = Date.parse("2026-12-03T00:00:00+10:30");
const DAYS = [20_789, 20_790];
const SPANS = [0, 1, 5, 30];
const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0";

const people = [
  { address: "192.0.2.1", userAgent: CHROME },
  { address: "192.0.2.1", userAgent: FIREFOX },
  { address: "2001:db8:0:7::/64", userAgent: CHROME },
  {
    address: "192.0.2.3",
    userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  },
  { address: "192.0.2.4", userAgent: CHROME, isOptedOut: true },
];
const ROBOT = 3;
const OPTED_OUT = 4;

type Happening = {
  type: Parameters<typeof anEvent>[0];
  metadata: object;
  /** Under which it is counted. */
  name?: string;
  isAttentive?: true;
  /** The referrer's host. */
  source?: string;
  /** Where the listener is then, in steps of thirty seconds. */
  stop?: number;
};
const happenings: Happening[] = [
  {
    type: "page_view",
    metadata: { referrer: "https://www.news.example/a?b=c" },
    source: "news.example",
  },
  { type: "page_view", metadata: { referrer: `${SITE}/about` } },
  { type: "page_view", metadata: {}, source: "" },
  { type: "reading_time", metadata: { readingTime: 17 } },
  { type: "scroll_depth", metadata: { scrollDepth: 25 }, name: "scroll_depth:25" },
  { type: "scroll_depth", metadata: { scrollDepth: 75 }, name: "scroll_depth:75", isAttentive: true },
  { type: "time_on_page", metadata: { seconds: 60 }, name: "time_on_page:60", isAttentive: true },
  { type: "engagement", metadata: { action: "share" }, name: "engagement:share", isAttentive: true },
  { type: "podcast_play", metadata: { seconds: 0 }, name: "podcast_play", isAttentive: true },
  { type: "podcast_pause", metadata: { seconds: 59 }, stop: 30 },
  { type: "podcast_pause", metadata: { seconds: 600 }, stop: 600 },
  { type: "podcast_complete", metadata: { seconds: 1234 }, name: "podcast_complete", stop: 1230 },
  { type: "search", metadata: { results: 3 }, name: "search" },
  {
    type: "newsletter_signup",
    metadata: { source: "footer" },
    name: "newsletter_signup:footer",
    isAttentive: true,
  },
  { type: "social_click", metadata: { network: "rss" }, name: "social_click:rss", isAttentive: true },
];

const place = fc.nat({ max: 999 });
const moment = fc.record({
  who: fc.nat({ max: people.length - 1 }),
  minute: fc.integer({ min: -90, max: 89 }),
  /** How far the visitor's clock is off. */
  skew: fc.constantFrom(-HOUR, 0, HOUR),
  what: fc.constantFrom(...happenings),
  where: fc.constantFrom("/", "/about", "article", "episode", "draft", "nothing"),
  again: fc.constantFrom("never", "never", "in the beacon", "in another", "by the queue"),
  /** In this order its messages are delivered. */
  order: place,
  orderAgain: place,
});
type Moment = typeof moment extends fc.Arbitrary<infer Value> ? Value : never;

const contents: Record<string, { contentType: string; contentId: string }> = {
  "/": { contentType: "page", contentId: "/" },
  "/about": { contentType: "page", contentId: "/about" },
  nothing: { contentType: "episode", contentId: "98765" },
};
const isKnown = ({ where }: Moment) => where !== "draft" && where !== "nothing";

beforeAll(async () => {
  sendAtOnce();
  await emptyCollector();
  await updateSite(ownerContext(), { timeZone: ZONE });
  const [article, draft, episode] = [
    await publishedArticle(),
    await publishedArticle({ status: "draft" }),
    await publishedEpisode(),
  ];
  contents["article"] = { contentType: "article", contentId: String(article.id) };
  contents["draft"] = { contentType: "article", contentId: String(draft.id) };
  contents["episode"] = { contentType: "episode", contentId: String(episode.id) };
});

it("has the same figures as a plain count of the sent events", async () => {
  // Made smaller it would only become a flood.
  const traffic = fc.noShrink(fc.array(moment, { minLength: 40, maxLength: 60 }));
  await fc.assert(
    fc.asyncProperty(traffic, fc.integer({ min: 3, max: 30 }), async (moments, atOnce) => {
      await db.batch([
        db.delete(analyticsBatches),
        db.delete(analyticsEvents),
        db.delete(analyticsTotals),
        db.delete(analyticsCounts),
        db.delete(analyticsSources),
        db.delete(analyticsRejections),
      ]);
      const messages = await sendAll(moments);
      for (let from = 0; from < messages.length; from += atOnce)
        await storeMessages(jobContext(), messages.slice(from, from + atOnce));
      expect(await storedFigures()).toEqual(plainCount(moments));
    }),
    { numRuns: 8 },
  );
});

/** What the queue delivers, in its order. */
async function sendAll(moments: Moment[]) {
  const delivered: { order: number; messages: AnalyticsMessage[] }[] = [];
  const inTime = [...moments.entries()].toSorted(([, a], [, b]) => a.minute - b.minute);
  for (const [index, { who, minute, skew, what, where, again, order, orderAgain }] of inTime) {
    const now = MIDNIGHT + minute * 60_000;
    const event = anEvent(what.type, {
      ...contents[where],
      sessionId: `session-${who}`,
      metadata: { timestamp: now + skew + index, ...what.metadata },
    });
    const beacon = again === "in the beacon" ? [event, event] : [event];
    const send = () => queued(beacon, { ...people[who], now: new Date(now) });
    const messages = await send();
    delivered.push({ order, messages });
    if (again === "by the queue") delivered.push({ order: orderAgain, messages });
    // For unknown content nothing is stored that would identify a duplicate.
    if (again === "in another" && (isKnown(moments[index]!) || who === ROBOT))
      delivered.push({ order: orderAgain, messages: await send() });
  }
  return delivered.toSorted((a, b) => a.order - b.order).flatMap(({ messages }) => messages);
}

type Rows = Record<string, Record<string, number>>;

async function storedFigures() {
  const [totals, counts, sources, rejections] = await db.batch([
    db.select().from(analyticsTotals),
    db.select().from(analyticsCounts),
    db.select().from(analyticsSources),
    db.select().from(analyticsRejections),
  ]);
  const rows: Rows = {};
  for (const { span, start, kind, content, ...figures } of totals)
    rows[`${span} ${start} ${kind} ${content}`] = figures;
  for (const { span, start, kind, content, name, count } of counts.filter((row) => row.count !== 0))
    rows[`${span} ${start} ${kind} ${content} ${name}`] = { count };
  for (const { span, start, host, views } of sources) rows[`${span} ${start} from ${host}`] = { views };
  for (const { day, of, reason, count } of rejections) rows[`${day} ${of} ${reason}`] = { count };
  return rows;
}

function plainCount(moments: Moment[]) {
  const rows: Rows = {};
  const add = (key: string, figures: Record<string, number>) => {
    const row = (rows[key] ??= {});
    for (const [name, figure] of Object.entries(figures)) row[name] = (row[name] ?? 0) + figure;
  };
  for (const [index, day] of DAYS.entries()) {
    const ofDay = moments.filter(({ minute }) => minute >= 0 === (index === 1));
    const addToSpans = (key: string, figures: Record<string, number>) => {
      for (const span of SPANS)
        add(`${span} ${span === 0 ? 0 : Math.floor(day / span) * span} ${key}`, figures);
    };
    const readers = ofDay.filter(({ who }) => who !== ROBOT && who !== OPTED_OUT);
    const counted = readers.filter(isKnown);
    countVisits(counted, addToSpans);
    for (const [stop, count] of countStops(counted)) add(`0 0 ${nameOf("episode")} stop:${stop}`, { count });
    for (const { who, again } of ofDay)
      if (who === ROBOT) add(`${day} events robot`, { count: again.startsWith("in ") ? 2 : 1 });
    for (const each of readers) if (!isKnown(each)) add(`${day} events unknown-content`, { count: 1 });
  }
  sumSoFar(rows);
  return rows;
}

/** Of each day, the views until its end. */
function sumSoFar(rows: Rows) {
  const [first, second] = DAYS.map((day) => `1 ${day} `) as [string, string];
  for (const [key, row] of Object.entries(rows)) {
    if (row["visitors"] === undefined) continue;
    const views = row["views"]!;
    const before = key.startsWith(second) ? (rows[key.replace(second, first)]?.["views"] ?? 0) : 0;
    row["viewsSoFar"] = key.startsWith("1 ") ? views + before : 0;
  }
}

const nameOf = (where: string) => `${contents[where]!.contentType} ${contents[where]!.contentId}`;
const amountOf = <T>(things: T[]) => new Set(things).size;

function countVisits(moments: Moment[], add: (key: string, figures: Record<string, number>) => void) {
  const visitOf = ({ who, where }: Moment) => `${who} ${where}`;
  const figuresOf = (rows: Moment[], visitors: (views: Moment[]) => number) => {
    const views = rows.filter(({ what }) => what.type === "page_view");
    const readings = rows.filter(({ what }) => what.type === "reading_time");
    const attentive = rows.filter(({ what }) => what.isAttentive);
    return {
      views: views.length,
      visitors: visitors(views),
      visits: amountOf(views.map(visitOf)),
      engaged: amountOf(attentive.map(visitOf)),
      readings: amountOf(readings.map(visitOf)),
      readingSeconds: readings.length * 17,
    };
  };
  if (moments.length > 0)
    add(
      "site ",
      figuresOf(moments, (views) => amountOf(views.map(({ who }) => who))),
    );
  for (const [where, rows] of Map.groupBy(moments, (each) => each.where))
    add(
      nameOf(where),
      figuresOf(rows, (views) => amountOf(views.map(({ who }) => who))),
    );
  const happened = new Set(
    moments.flatMap(({ who, where, what }) => (what.name ? [[who, where, what.name].join("|")] : [])),
  );
  for (const each of happened) {
    const [, where, name] = each.split("|");
    add(`${nameOf(where!)} ${name}`, { count: 1 });
    add(`site  ${name}`, { count: 1 });
  }
  for (const { what } of moments) if (what.source !== undefined) add(`from ${what.source}`, { views: 1 });
}

/** Where each listener of the day was last, by the clock of the listener. */
function countStops(moments: Moment[]) {
  const stops = moments.filter(({ what, where }) => what.stop !== undefined && where === "episode");
  const last = [...Map.groupBy(stops, ({ who }) => who).values()].map((rows) =>
    rows.toSorted((a, b) => a.minute * 60_000 + a.skew - b.minute * 60_000 - b.skew).at(-1)!,
  );
  return [...Map.groupBy(last, ({ what }) => what.stop!)].map(([stop, rows]) => [stop, rows.length] as const);
}
