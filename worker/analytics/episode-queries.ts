import { and, eq, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { EpisodeReport } from "#worker/analytics/contract.ts";
import { dayAt } from "#worker/analytics/days.ts";
import { selectRows } from "#worker/analytics/select.ts";
import { STOP_STEP } from "#worker/analytics/store-events.ts";
import { analyticsCounts, downloadTotals } from "#worker/analytics/table.ts";
import { readEpisodeOutline, readNewestEpisodeDates } from "#worker/episodes/outline-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { readSite } from "#worker/settings/queries.ts";

/** Newest episodes that the median covers. */
const COMPARED = 20;
/** Days since publication that are reported individually. */
const MAX_SINCE = 90;

/**
 * An episode's report: downloads by day since its publication, the median of the show's newest other episodes, and
 * where listeners on the site stop.
 * @throws `unauthenticated`, `forbidden`; `not_found`, also for an unpublished episode
 */
export async function readEpisodeAnalytics(ctx: Context, id: number): Promise<EpisodeReport> {
  requireCapability("analytics", ctx);
  const [episode, others, { timeZone }] = await Promise.all([
    readEpisodeOutline(ctx, id),
    readNewestEpisodeDates(ctx, { besides: id, limit: COMPARED }),
    readSite(ctx),
  ]);
  const [published, today] = [episode.publishedAt, ctx.now].map((time) => dayAt(time, timeZone)) as [
    number,
    number,
  ];
  const [own, compared, counted, [all]] = await ctx.db.batch([
    selectDays(ctx, [{ id, published }]),
    selectDays(ctx, datedIn(timeZone, others)),
    ctx.db
      .select({ name: analyticsCounts.name, count: analyticsCounts.count })
      .from(analyticsCounts)
      .where(
        and(
          eq(analyticsCounts.kind, "episode"),
          eq(analyticsCounts.content, String(id)),
          eq(analyticsCounts.span, 0),
        ),
      ),
    ctx.db
      .select({ downloads: downloadTotals.downloads })
      .from(downloadTotals)
      .where(
        and(
          eq(downloadTotals.episodeId, id),
          eq(downloadTotals.facet, "episode"),
          eq(downloadTotals.span, 0),
        ),
      ),
  ]);
  const age = Math.max(0, today - published);
  const countOf = (name: string) => counted.find((row) => row.name === name)?.count ?? 0;
  return {
    id,
    title: episode.title,
    durationSeconds: episode.durationSeconds,
    chapters: episode.chapters.map(({ start, title }) => ({ start, title })),
    downloads: curveOf(own, compared, { days: Math.min(age, MAX_SINCE - 1) + 1, today }),
    isLastToday: age < MAX_SINCE,
    total: all?.downloads ?? 0,
    stops: stopsOf(counted, episode.durationSeconds),
    step: STOP_STEP,
    plays: countOf("podcast_play"),
    completions: countOf("podcast_complete"),
  };
}

/**
 * Downloads of an episode on one day after its publication; a single row with nulls for an episode without downloads.
 */
type SinceRow = {
  id: number;
  publishedDay: number;
  /** The day of the show's first download; null without any. */
  firstCount: number | null;
  since: number | null;
  downloads: number | null;
};

/** Episodes by the day of their publication. */
type Dated = { id: number; published: number };

export const datedIn = (timeZone: string, episodes: { id: number; publishedAt: number }[]): Dated[] =>
  episodes.map(({ id, publishedAt }) => ({ id, published: dayAt(publishedAt, timeZone) }));

/** The statement of the first 90 days of episodes. */
export const selectDays = (ctx: Pick<Context, "db">, episodes: Dated[]) =>
  selectRows<SinceRow>(
    ctx,
    ["id", "publishedDay", "firstCount", "since", "downloads"],
    sql`with dated as (
      select value ->> 'id' as id, value ->> 'published' as published from json_each(${JSON.stringify(episodes)})
    )
    select dated.id, published as "publishedDay",
      (select min(start) from ${downloadTotals} where facet = 'show' and span = 1) as "firstCount",
      start - published as since, downloads
    from dated left join ${downloadTotals} on episode_id = dated.id and facet = 'episode' and span = 1
      and start between published and published + ${MAX_SINCE - 1}`,
  );

function curveOf(own: SinceRow[], compared: SinceRow[], { days, today }: { days: number; today: number }) {
  const mine = bySince(own);
  const others = [...Map.groupBy(compared, ({ id }) => id).values()].map((rows) => ({
    age: today - rows[0]!.publishedDay,
    downloads: bySince(rows),
  }));
  return Array.from({ length: days }, (_, sinceDay) => ({
    sinceDay,
    downloads: mine(sinceDay),
    median: medianOf(
      others
        .filter(({ age }) => age >= sinceDay)
        .map(({ downloads }) => downloads(sinceDay))
        .filter((downloads) => downloads !== null),
    ),
  }));
}

/** An episode's downloads by day since publication; null before counting began. */
function bySince(rows: SinceRow[]) {
  const downloads = new Map(rows.map((row) => [row.since, row.downloads]));
  return (since: number) => (isCounted(rows[0]!, since) ? (downloads.get(since) ?? 0) : null);
}

/** Whether counting had begun by this day after an episode's publication. */
export const isCounted = ({ publishedDay, firstCount }: SinceRow, since: number) =>
  firstCount !== null && publishedDay + since >= firstCount;

/** Null for an empty list. */
export function medianOf(values: number[]) {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

const STOP = "stop:";

function stopsOf(counted: { name: string; count: number }[], durationSeconds: number) {
  return counted
    .filter(({ name, count }) => name.startsWith(STOP) && count > 0)
    .map(({ name, count }) => ({ second: Number(name.slice(STOP.length)), listeners: count }))
    .filter(({ second }) => durationSeconds === 0 || second <= durationSeconds)
    .toSorted((a, b) => a.second - b.second);
}
