import { eq, sql } from "drizzle-orm";
import { storeMessages } from "#worker/analytics/store-messages.ts";
import type { ACTIONS, AnalyticsEvent, EventType } from "#worker/analytics/contract.ts";
import { DAY_MS, dayAt, dayOf, QUARTERS_OF_DAY } from "#worker/analytics/days.ts";
import { toStored } from "#worker/analytics/events.ts";
import type { AnalyticsMessage, Part } from "#worker/analytics/messages.ts";
import { articles } from "#worker/articles/table.ts";
import { episodes } from "#worker/episodes/table.ts";
import { files } from "#worker/files/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { readSite } from "#worker/settings/queries.ts";
import { randomFrom } from "./random.ts";

/**
 * Visits and downloads of the half year before the first start, as the queue would deliver them. The same each time,
 * except for the day on which they end.
 */

const DAYS = 180;
/** The quarter-hour of UTC of all demo events: it has the same date in nearly all time zones. */
const NOON = 48;

type Random = () => number;

/** A weighted random choice. */
function pick<T>(random: Random, weighted: readonly (readonly [T, number])[]): T {
  let left = random() * weighted.reduce((sum, [, weight]) => sum + weight, 0);
  return (weighted.find(([, weight]) => (left -= weight) < 0) ?? weighted.at(-1)!)[0];
}

const referrers = [
  ["", 40],
  ["https://www.google.com/", 26],
  ["https://www.linkedin.com/feed/", 18],
  ["https://duckduckgo.com/", 5],
  ["https://podcasts.apple.com/", 4],
  ["https://www.bing.com/", 4],
  ["https://bsky.app/", 3],
] as const;
const apps = [
  ["Apple Podcasts", 42],
  ["Spotify", 20],
  ["Overcast", 11],
  ["Pocket Casts", 10],
  ["Chrome", 7],
  ["Safari", 6],
  ["AntennaPod", 4],
] as const;
const devices = [
  ["Phone", 74],
  ["Computer", 16],
  ["Tablet", 6],
  ["Speaker", 4],
] as const;
const countries = [
  ["AU", 71],
  ["NZ", 9],
  ["GB", 7],
  ["US", 6],
  ["SG", 3],
  ["IE", 2],
  ["XX", 2],
] as const;
const actions: readonly (readonly [(typeof ACTIONS)[number], number])[] = [
  ["share", 4],
  ["copy_link", 3],
  ["favorite", 2],
  ["add_to_playlist", 1],
];
const signupForms = [
  ["inline_subscribe", 5],
  ["exit_intent_popup", 2],
  ["footer", 3],
] as const;

type Content = {
  contentType: AnalyticsEvent["contentType"];
  contentId: string;
  /** The day of publication. */
  since: number;
  /** How often it is read or heard, compared with the others. */
  weight: number;
  durationSeconds: number;
};

const page = (contentId: string, weight: number): Content => ({
  contentType: "page",
  contentId,
  since: 0,
  weight,
  durationSeconds: 0,
});
const pages = [
  page("/", 9),
  page("/about", 3),
  page("/podcast", 4),
  page("/conversations", 2),
  page("/essays", 2),
];

export async function loadAnalytics(ctx: Context) {
  const random = randomFrom(27);
  const { timeZone } = await readSite(ctx);
  const today = dayAt(ctx.now, timeZone);
  const [shown, heard] = await ctx.db.batch([
    ctx.db
      .select({ id: articles.id, publishedAt: sql<number>`${articles.publishedAt}` })
      .from(articles)
      .where(eq(articles.status, "published")),
    ctx.db
      .select({
        id: episodes.id,
        publishedAt: sql<number>`${episodes.publishedAt}`,
        durationSeconds: episodes.durationSeconds,
        file: files.key,
      })
      .from(episodes)
      .innerJoin(files, eq(files.id, episodes.audioFileId))
      .where(eq(episodes.status, "published")),
  ]);
  const contents: Content[] = [
    ...pages,
    ...shown.map(({ id, publishedAt }) => ({
      contentType: "article" as const,
      contentId: String(id),
      since: dayOf(publishedAt),
      weight: 2 + (id % 3),
      durationSeconds: 0,
    })),
    ...heard.map(({ id, publishedAt, durationSeconds }) => ({
      contentType: "episode" as const,
      contentId: String(id),
      since: dayOf(publishedAt),
      weight: 4 + (id % 2),
      durationSeconds,
    })),
  ];
  const messages: AnalyticsMessage[] = [];
  for (let day = today - DAYS + 1; day <= today; day++) {
    const parts = heard.flatMap((episode) => partsOf(random, day, episode));
    messages.push({
      kind: "downloads",
      id: `demo-downloads-${day}`,
      quarter: day * QUARTERS_OF_DAY + NOON,
      parts,
      rejections: rejectionsOf(random),
    });
    const visits = visitsOf(random, day, today, contents);
    for (let visit = 0; visit < visits; visit++) {
      const network = `demo-${day}-${visit}`;
      const events = visitEvents(random, day, contents, ctx.config.siteUrl);
      const stored = await Promise.all(events.map((event) => toStored(event, ctx.config.siteUrl)));
      const keyed = stored.map((event, at) => ({ ...event, key: `${network}-${at}` }));
      messages.push({
        kind: "events",
        id: network,
        quarter: day * QUARTERS_OF_DAY + NOON,
        network,
        visitor: network,
        events: keyed,
      });
    }
  }
  await storeMessages(ctx, messages);
}

/** Visits grow each week, fall at weekends, and rise after a publication. */
function visitsOf(random: Random, day: number, today: number, contents: Content[]) {
  const grown = 3 + (4 * (DAYS - (today - day))) / DAYS;
  const isWeekend = [0, 6].includes(new Date(day * DAY_MS).getUTCDay());
  const fresh = contents.filter(({ since }) => since > 0 && day >= since && day < since + 4);
  const news = fresh.reduce((sum, { since }) => sum + 6 / (1 + day - since), 0);
  return Math.round((grown * (isWeekend ? 0.6 : 1) + news) * (0.75 + random() / 2));
}

function visitEvents(random: Random, day: number, contents: Content[], siteUrl: string): AnalyticsEvent[] {
  const open = contents
    .filter(({ since }) => since <= day)
    .map((content) => [content, content.weight * (day - content.since < 7 ? 4 : 1)] as const);
  const looks = pick(random, [
    [1, 6],
    [2, 3],
    [3, 1],
  ] as const);
  const seen = new Set(Array.from({ length: looks }, () => pick(random, open)));
  return [...seen].flatMap((content, at) =>
    lookEvents(random, content, at === 0 ? pick(random, referrers) : siteUrl, day),
  );
}

/** The events of one visit to a page. */
function lookEvents(random: Random, content: Content, referrer: string, day: number): AnalyticsEvent[] {
  const { contentType, contentId, durationSeconds } = content;
  const timestamp = day * DAY_MS + Math.floor(random() * DAY_MS);
  const event = (eventType: EventType, metadata: object) =>
    ({
      eventType,
      contentType,
      contentId,
      userId: null,
      sessionId: "demo-session",
      metadata: { timestamp, ...metadata },
    }) as AnalyticsEvent;
  const isInterested = random() < (contentType === "page" ? 0.4 : 0.72);
  const read = Math.round((isInterested ? 22 : 6) + random() * (contentType === "article" ? 300 : 75));
  const events = [event("page_view", { referrer }), event("reading_time", { readingTime: read })];
  if (!isInterested) return events;
  const depth = pick(random, [
    [25, 2],
    [50, 3],
    [75, 3],
    [90, 4],
  ] as const);
  for (const scrollDepth of [25, 50, 75, 90])
    if (scrollDepth <= depth) events.push(event("scroll_depth", { scrollDepth }));
  for (const seconds of [30, 60, 300]) if (seconds <= read) events.push(event("time_on_page", { seconds }));
  if (contentType === "episode" && random() < 0.6) events.push(...playEvents(random, durationSeconds, event));
  if (contentType !== "page" && random() < 0.08)
    events.push(event("engagement", { action: pick(random, actions) }));
  if (random() < 0.03) events.push(event("newsletter_signup", { source: pick(random, signupForms) }));
  return events;
}

/** Some listeners stop early, some anywhere, and many hear all of it. */
function playEvents(
  random: Random,
  duration: number,
  event: (type: EventType, metadata: object) => AnalyticsEvent,
) {
  const play = event("podcast_play", { seconds: 0 });
  const chance = random();
  if (chance < 0.45) return [play, event("podcast_complete", { seconds: duration })];
  const part = chance < 0.65 ? random() * 0.15 : random();
  return [play, event("podcast_pause", { seconds: Math.floor(part * duration) })];
}

type Heard = { publishedAt: number; file: string };

/** Most downloads are in the first days after publication. */
function partsOf(random: Random, day: number, { publishedAt, file }: Heard): Part[] {
  const age = day - dayOf(publishedAt);
  if (age < 0) return [];
  const listeners = Math.round((26 * Math.exp(-age / 2.5) + 1.4) * (0.6 + random() * 0.8));
  return Array.from({ length: listeners }, (_, at) => ({
    file,
    network: `demo-${day}-${at}`,
    listener: `demo-${day}-${at}`,
    first: 0,
    last: 1e9,
    app: pick(random, apps),
    device: pick(random, devices),
    country: pick(random, countries),
  }));
}

const rejectionsOf = (random: Random) => {
  const row = (of: "events" | "downloads", reason: "robot" | "data-centre" | "probe", most: number) => ({
    of,
    reason,
    count: 1 + Math.floor(random() * most),
  });
  return [
    row("downloads", "robot", 9),
    row("downloads", "data-centre", 5),
    row("downloads", "probe", 4),
    row("events", "robot", 6),
  ];
};
