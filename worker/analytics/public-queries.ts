import { sql } from "drizzle-orm";
import type { CountingReport, MeasuredFigures, Rejection } from "#worker/analytics/contract.ts";
import { dayAt, isoDay } from "#worker/analytics/days.ts";
import { datedIn, isCounted, medianOf, selectDays } from "#worker/analytics/episode-queries.ts";
import { CHECKED_ON } from "#worker/analytics/apps.ts";
import { toPeriod } from "#worker/analytics/period.ts";
import { selectShowDays, selectSiteDays } from "#worker/analytics/queries.ts";
import { analyticsRejections, analyticsTotals } from "#worker/analytics/table.ts";
import { readNewestEpisodeDates } from "#worker/episodes/outline-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { readSite } from "#worker/settings/queries.ts";

const DAYS = 30;

/** How the site counts, and its rejections of the last 30 days; public. */
export async function readCountingReport(ctx: Context): Promise<CountingReport> {
  const { analytics, timeZone } = await readSite(ctx);
  const today = dayAt(ctx.now, timeZone);
  const days = { from: today - DAYS + 1, to: today };
  const [show, rejections] = await Promise.all([
    selectShowDays(ctx, days),
    ctx.db.all<Rejection>(sql`select "of", reason, sum(count) as count from ${analyticsRejections}
      where day between ${days.from} and ${days.to} group by "of", reason order by "of", count desc`),
  ]);
  return {
    period: toPeriod(days),
    timeZone,
    downloads: show.reduce((sum, row) => sum + row.downloads, 0),
    rejections,
    keepDays: analytics.keepDays,
    listsCheckedOn: CHECKED_ON,
  };
}

/** Newest episodes of sufficient age that the median covers. */
const COMPARED = 40;

/** The figures of the media kit, for the last 30 full days. */
export async function readMeasuredFigures(ctx: Context): Promise<MeasuredFigures> {
  ctx.dependsOn("episodes");
  const [{ timeZone }, newest] = await Promise.all([
    readSite(ctx),
    readNewestEpisodeDates(ctx, { besides: 0, limit: COMPARED }),
  ]);
  const today = dayAt(ctx.now, timeZone);
  const days = { from: today - DAYS, to: today - 1 };
  const [site, show, episodes] = await Promise.all([
    selectSiteDays(ctx, days),
    selectShowDays(ctx, days),
    selectDays(ctx, datedIn(timeZone, newest)),
  ]);
  const sum = <Row>(rows: Row[], of: (row: Row) => number) =>
    rows.length === 0 ? null : rows.reduce((total, row) => total + of(row), 0);
  const firstDays = [...Map.groupBy(episodes, ({ id }) => id).values()]
    .filter(([row]) => today - row!.publishedDay >= DAYS && isCounted(row!, 0))
    .map((rows) =>
      rows.reduce(
        (total, { since, downloads }) => total + ((since ?? DAYS) < DAYS ? (downloads ?? 0) : 0),
        0,
      ),
    );
  return {
    asOf: isoDay(days.to),
    views: sum(site, ({ views }) => views),
    visitors: sum(site, ({ visitors }) => visitors),
    downloads: sum(show, ({ downloads }) => downloads),
    downloadsPerEpisode: show.length === 0 ? null : medianOf(firstDays),
  };
}

/** An article's views of all time. */
export async function readArticleViews({ db }: Context, id: number) {
  const [row] = await db
    .select({ views: analyticsTotals.views })
    .from(analyticsTotals)
    .where(sql`span = 0 and kind = 'article' and start = 0 and ${analyticsTotals.content} = ${String(id)}`);
  return row?.views ?? 0;
}
