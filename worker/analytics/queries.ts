import { sql } from "drizzle-orm";
import { isAllowed, requireCapability } from "#worker/access/capabilities.ts";
import {
  AnalyticsQuery,
  type AnalyticsReport,
  type ContentType,
  type Counted,
  type CountedDay,
  type EpisodeDownloads,
  type Figure,
  type TopContent,
} from "#worker/analytics/contract.ts";
import { latestDownloads, latestDownloadsOf } from "#worker/analytics/latest-downloads.ts";
import { dayAt, firstQuarterOf, isoDay, QUARTERS_OF_DAY } from "#worker/analytics/days.ts";
import { daysOf, isWithin, rangesOf, toPeriod, toTimes, type Days } from "#worker/analytics/period.ts";
import { blocksOf, topOf } from "#worker/analytics/ranking.ts";
import {
  analyticsCounts as counts,
  analyticsSources as sources,
  analyticsTotals as totals,
  analyticsZones,
  downloadTotals,
} from "#worker/analytics/table.ts";
import { selectRows } from "#worker/analytics/select.ts";
import { articleLabel } from "#worker/articles/queries.ts";
import { episodeLabel } from "#worker/episodes/queries.ts";
import { selectLettersStarted, toFigures } from "#worker/letters/queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { readSite } from "#worker/settings/queries.ts";

const TOP = 10;
/** Maximum rows of the other lists. */
const LIST = 20;

/**
 * The figures of a period and of the period before it. At most nine statements over the roll-ups, and one for the time
 * zone.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function readAnalytics(ctx: Context, query: AnalyticsQuery = {}): Promise<AnalyticsReport> {
  requireCapability("analytics", ctx);
  const asked = parseInput(AnalyticsQuery, query);
  const { timeZone } = await readSite(ctx);
  const today = dayAt(ctx.now, timeZone);
  const { period, before } = daysOf(asked, today);
  const both = { from: before.from, to: period.to };
  const maySeeLetters = isAllowed("audience", ctx);
  const [site, show, content, hosts, actions, facets, episodes, [days], letters = []] = await ctx.db.batch([
    selectSiteDays(ctx, both),
    selectShowDays(ctx, both),
    selectContent(ctx, period, TOP),
    selectSources(ctx, period),
    selectActions(ctx, period),
    selectFacets(ctx, period),
    selectEpisodes(ctx, period),
    selectDays(ctx),
    ...(maySeeLetters ? [selectLettersStarted(ctx, toTimes(period, timeZone))] : []),
  ]);
  const facet = (name: string) =>
    facets
      .flatMap((row) => (row.facet === name ? [{ name: row.name, count: row.count }] : []))
      .slice(0, LIST);
  return {
    period: toPeriod(period),
    before: toPeriod(before),
    cards: cardsOf(site, period, before),
    content: content.map(toTopContent),
    days: fillDays(period, site, show),
    today: isoDay(today),
    changedClocks: changedClocksOf(period, timeZone),
    formerZones: formerZonesOf(days!.zones, period),
    sources: hosts,
    actions,
    downloads: {
      latest: latestDownloadsOf(days!.latest, today),
      total: compare(show, period, before, (rows) => sumOf(rows, ({ downloads }) => downloads)),
      episodes: episodes.map(toEpisode),
      apps: facet("app"),
      devices: facet("device"),
      countries: facet("country"),
    },
    letters: maySeeLetters ? letters.map(toFigures) : null,
  };
}

type SiteDay = {
  day: number;
  views: number;
  visitors: number;
  visits: number;
  engaged: number;
  readings: number;
  readingSeconds: number;
};
type ShowDay = { day: number; downloads: number };

const figures = sql`sum(views) as views, sum(visitors) as visitors, sum(visits) as visits, sum(engaged) as engaged,
  sum(readings) as readings, sum(reading_seconds) as "readingSeconds"`;

/** Every day with figures. */
export const selectSiteDays = (ctx: Pick<Context, "db">, { from, to }: Days) =>
  selectRows<SiteDay>(
    ctx,
    ["day", "views", "visitors", "visits", "engaged", "readings", "readingSeconds"],
    sql`select start as day, views, visitors, visits, engaged, readings,
      reading_seconds as "readingSeconds"
    from ${totals} where span = 1 and kind = 'site' and start between ${from} and ${to} order by start`,
  );

export const selectShowDays = (ctx: Pick<Context, "db">, { from, to }: Days) =>
  selectRows<ShowDay>(
    ctx,
    ["day", "downloads"],
    sql`select start as day, downloads from ${downloadTotals}
    where facet = 'show' and span = 1 and start between ${from} and ${to}`,
  );

/** The individual roll-ups of a period as JSON, for one parameter of a statement. */
const pointsOf = (period: Days) => JSON.stringify(blocksOf(period).map(({ span, start }) => [span, start]));

/** SQL: the rows of a period in a table of roll-ups, span by span. */
const within = (period: Days, condition = sql`true`) => sql`json_each(${rangesOf(period)}) as part
  cross join rollup on rollup.span = part.value ->> 0 and ${condition}
    and rollup.start between part.value ->> 1 and part.value ->> 2`;

type ContentRow = Omit<SiteDay, "day"> & { kind: ContentType; content: string; label: string | null };

/** The contents with the most views, each with its title and path as JSON; null if deleted. */
export const selectContent = (ctx: Pick<Context, "db">, period: Days, limit: number) =>
  selectRows<ContentRow>(
    ctx,
    ["kind", "content", "label", "views", "visitors", "visits", "engaged", "readings", "readingSeconds"],
    sql`with top as materialized (${topOf(period, limit, {
      keys: sql`kind, content`,
      all: sql`select kind, content from ${totals}
        where span = 0 and kind in ('article', 'episode', 'page') and start = 0`,
      soFar: sql`views_so_far`,
      days: sql`${totals} where span = 1 and kind = each.kind and content = each.content`,
    })}),
    found as (
      select top.kind, top.content, ${figures} from top cross join json_each(${pointsOf(period)}) as part
        cross join ${totals} as rollup on rollup.span = part.value ->> 0 and rollup.kind = top.kind
          and rollup.start = part.value ->> 1 and rollup.content = top.content
      group by top.kind, top.content
    )
    select found.*, case kind
      when 'article' then ${articleLabel(sql`cast(found.content as integer)`)}
      when 'episode' then ${episodeLabel(sql`cast(found.content as integer)`)} end as label
    from found order by views desc, visitors desc, kind, content`,
  );

const selectSources = (ctx: Context, period: Days) =>
  selectRows<Counted>(
    ctx,
    ["name", "count"],
    sql`with rollup as not materialized (select * from ${sources})
    select host as name, sum(views) as count from ${within(period)}
    group by host order by count desc, host limit ${LIST}`,
  );

const selectActions = (ctx: Context, period: Days) =>
  selectRows<Counted>(
    ctx,
    ["name", "count"],
    sql`with rollup as not materialized (
      select * from ${counts} where kind = 'site' and content = ''
    )
    select name, sum(count) as count from ${within(period)} group by name order by count desc, name`,
  );

const selectFacets = (ctx: Context, period: Days) =>
  selectRows<Counted & { facet: string }>(
    ctx,
    ["facet", "name", "count"],
    sql`with rollup as not materialized (
      select * from ${downloadTotals}
    )
    select facet, rollup.value as name, sum(downloads) as count
    from ${within(period, sql`rollup.facet in ('app', 'device', 'country')`)}
    group by facet, rollup.value order by count desc, rollup.value`,
  );

type EpisodeRow = { id: number; downloads: number; label: string | null };

const selectEpisodes = (ctx: Context, period: Days) =>
  selectRows<EpisodeRow>(
    ctx,
    ["id", "downloads", "label"],
    sql`with top as (${topOf(period, LIST, {
      keys: sql`episode_id`,
      all: sql`select episode_id from ${downloadTotals} where facet = 'episode' and span = 0 and start = 0`,
      soFar: sql`downloads_so_far`,
      days: sql`${downloadTotals} where span = 1 and facet = 'episode' and episode_id = each.episode_id`,
    })})
    select episode_id as id, amount as downloads, ${episodeLabel(sql`top.episode_id`)} as label
    from top where amount > 0 order by downloads desc, id desc`,
  );

/** The last days with downloads, and the first of each time zone; both as JSON. */
const selectDays = (ctx: Context) =>
  selectRows<{ latest: string; zones: string }>(
    ctx,
    ["latest", "zones"],
    sql`select ${latestDownloads} as latest,
      (select json_group_array(json_array(day, time_zone)) from (select * from ${analyticsZones} order by day)) as zones`,
  );

/** The earlier time zones within a period, each with its last day. */
function formerZonesOf(json: string, { from, to }: Days) {
  const zones = JSON.parse(json) as [day: number, timeZone: string][];
  return zones.slice(0, -1).flatMap(([day, timeZone], at) => {
    const until = zones[at + 1]![0] - 1;
    return day <= to && until >= from ? [{ timeZone, until: isoDay(until) }] : [];
  });
}

/** The days that do not have 24 hours. */
function changedClocksOf({ from, to }: Days, timeZone: string) {
  const changed: Record<string, number> = {};
  let first = firstQuarterOf(from, timeZone);
  for (let day = from; day <= to; day++) {
    const next = firstQuarterOf(day + 1, timeZone, first + QUARTERS_OF_DAY);
    if (next - first !== QUARTERS_OF_DAY) changed[isoDay(day)] = (next - first) / 4;
    first = next;
  }
  return changed;
}

const sumOf = <Row>(rows: Row[], of: (row: Row) => number) => rows.reduce((sum, row) => sum + of(row), 0);

/** A figure from the counted days of both periods; null without any. */
function compare<Row extends { day: number }>(
  rows: Row[],
  period: Days,
  before: Days,
  of: (rows: Row[]) => number | null,
): Figure {
  const figure = (days: Days) => {
    const counted = rows.filter(({ day }) => isWithin(day, days));
    return counted.length === 0 ? null : of(counted);
  };
  return { value: figure(period), before: figure(before) };
}

function cardsOf(site: SiteDay[], period: Days, before: Days) {
  const card = (of: (rows: SiteDay[]) => number | null) => compare(site, period, before, of);
  const summed = (rows: SiteDay[]) => ({
    readings: sumOf(rows, ({ readings }) => readings),
    readingSeconds: sumOf(rows, ({ readingSeconds }) => readingSeconds),
    visits: sumOf(rows, ({ visits }) => visits),
    engaged: sumOf(rows, ({ engaged }) => engaged),
  });
  return {
    views: card((rows) => sumOf(rows, ({ views }) => views)),
    visitors: card((rows) => sumOf(rows, ({ visitors }) => visitors)),
    readingSeconds: card((rows) => readingSecondsOf(summed(rows))),
    engagement: card((rows) => engagementOf(summed(rows))),
  };
}

export const readingSecondsOf = ({
  readings,
  readingSeconds,
}: Pick<SiteDay, "readings" | "readingSeconds">) =>
  readings === 0 ? null : Math.round(readingSeconds / readings);

/** Percent, at most 100: the view of an engaged visit may have been lost. */
export const engagementOf = ({ visits, engaged }: Pick<SiteDay, "visits" | "engaged">) =>
  visits === 0 ? null : Math.min(100, Math.round((engaged / visits) * 100));

type Label = { title: string; path: string | null };

export function labelOf({ kind, content, label }: Pick<ContentRow, "kind" | "content" | "label">): Label {
  // Patterns such as `/letters/:id` cover many addresses.
  if (kind === "page") return { title: content, path: content.includes(":") ? null : content };
  if (label === null) return { title: `Deleted ${kind} ${content}`, path: null };
  return JSON.parse(label) as Label;
}

function toTopContent(row: ContentRow, index: number): TopContent {
  const { title, path } = labelOf(row);
  return {
    rank: index + 1,
    contentType: row.kind,
    contentId: row.content,
    title,
    link: path,
    views: row.views,
    visitors: row.visitors,
    readingSeconds: readingSecondsOf(row),
    engagement: engagementOf(row),
  };
}

const toEpisode = ({ id, downloads, label }: EpisodeRow): EpisodeDownloads => ({
  id,
  downloads,
  title: labelOf({ kind: "episode", content: String(id), label }).title,
});

function fillDays({ from, to }: Days, site: SiteDay[], show: ShowDay[]): CountedDay[] {
  const seen = new Map(site.map((row) => [row.day, row]));
  const heard = new Map(show.map((row) => [row.day, row.downloads]));
  return Array.from({ length: to - from + 1 }, (_, at) => ({
    day: isoDay(from + at),
    views: seen.get(from + at)?.views ?? 0,
    visitors: seen.get(from + at)?.visitors ?? 0,
    downloads: heard.get(from + at) ?? 0,
  }));
}
