import { gte, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { dayAt, firstQuarterOf, QUARTERS_OF_DAY, SPAN_DAYS } from "#worker/analytics/days.ts";
import { readRules } from "#worker/analytics/salts-and-lists.ts";
import { addDownloads } from "#worker/analytics/store-downloads.ts";
import { addCounts, addSources } from "#worker/analytics/store-events.ts";
import { addedAgain, addTotals } from "#worker/analytics/store-totals.ts";
import {
  analyticsCounts as counts,
  analyticsEvents as events,
  analyticsSources as sources,
  analyticsTotals as totals,
  analyticsZones as zones,
  downloads,
  downloadTotals as heard,
} from "#worker/analytics/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { logError } from "#worker/platform/log.ts";
import { timeZoneSetting } from "#worker/settings/queries.ts";

/**
 * Returns the time zone of the figures. If the owner has changed it, recounts the days whose events are all still
 * stored; earlier days stay, and the panel shows their time zone.
 */
export async function followTimeZone(ctx: Context) {
  const [row] = await ctx.db
    .select({
      current: timeZoneSetting,
      former: latestZone,
    })
    .from(sql`(select 1)`);
  const { current, former } = row!;
  if (former === null) await ctx.db.insert(zones).values({ day: 0, timeZone: current }).onConflictDoNothing();
  else if (former !== current) await changeTimeZone(ctx, current);
  return current;
}

const latestZone = sql<string | null>`(select time_zone from ${zones} order by day desc limit 1)`;

async function changeTimeZone(ctx: Context, current: string) {
  const today = dayAt(ctx.now, current);
  const { own } = await readRules(ctx);
  const [read, listened] = await Promise.all([
    findStored(ctx, ofEvents, today - own.keepDays),
    findStored(ctx, ofDownloads, today - own.keepDays),
  ]);
  const isFrom = (day: number) => [
    ctx.db.delete(zones).where(gte(zones.day, day)),
    // If the owner returns to the zone of the earlier days, these continue.
    ctx.db.insert(zones).select(sql`select ${day}, ${current} where ${latestZone} is not ${current}`),
  ];
  try {
    const from = Math.min(read.from ?? today, listened.from ?? today) - APART;
    const days = daysIn(current, from, today + APART);
    await runAll(ctx, [
      ...(read.from === null ? [] : regroupEvents(ctx, read.from, days)),
      ...(listened.from === null ? [] : regroupDownloads(ctx, listened.from, days)),
      ...isFrom(Math.max(firstDayOf(read, today), firstDayOf(listened, today))),
    ]);
  } catch (error) {
    // Too much for one D1 batch: only days from today use the new zone.
    logError("analytics: the days were not counted anew", error);
    await runAll(ctx, isFrom(today));
  }
}

type Statement = BatchItem<"sqlite">;
const runAll = ({ db }: Context, [first, ...others]: Statement[]) => db.batch([first!, ...others]);

/** `from` is the first day that can be recounted; `hasOlder`: there are figures that cannot. */
type Stored = { from: number | null; hasOlder: boolean };

/** The first day that is right in the new time zone; 0 if all are. */
const firstDayOf = ({ from, hasOlder }: Stored, today: number) => (hasOlder ? (from ?? today) : 0);

/** SQL: single events or downloads, and the expected sum of their days. */
const ofEvents = {
  stored: sql`${events}`,
  day: sql`day`,
  isSummed: sql`type = 'page_view'`,
  amount: sql`views`,
  days: sql`${totals} where span = 1 and kind = 'site' and content = ''`,
};
const ofDownloads = {
  stored: sql`${downloads}`,
  day: sql`owner_day`,
  isSummed: sql`true`,
  amount: sql`downloads`,
  days: sql`${heard} where facet = 'show' and span = 1`,
};

/**
 * The first day from which all single events are still stored, verified against the sums. Days past the retention time
 * are incomplete; so may be the first day, because of an update or an interrupted deletion.
 */
async function findStored(
  { db }: Context,
  { stored, day, isSummed, amount, days }: typeof ofEvents,
  oldest: number,
): Promise<Stored> {
  const first = await db.get<{ day: number | null }>(
    sql`select min(${day}) as day from ${stored} where quarter is not null and ${day} >= ${oldest}`,
  );
  const start = first?.day ?? null;
  for (const from of start === null ? [] : [start, start + 1]) {
    const sums = await db.get<{ stored: number; total: number; hasOlder: number }>(sql`select
      (select count(*) from ${stored} where ${day} >= ${from} and quarter is not null and ${isSummed}) as stored,
      coalesce((select sum(${amount}) from ${days} and start >= ${from}), 0) as total,
      exists (select 1 from ${days} and start < ${from}) as hasOlder`);
    if (sums!.stored > 0 && sums!.stored === sums!.total) return { from, hasOlder: sums!.hasOlder === 1 };
  }
  const any = await db.get<{ found: number }>(sql`select exists (select 1 from ${days}) as found`);
  return { from: null, hasOlder: any!.found === 1 };
}

/** SQL: a table of the days of a time zone, each with its range of quarters within a UTC day, the lookup key. */
function daysIn(timeZone: string, from: number, to: number) {
  const parts: [utcDay: number, first: number, last: number, day: number][] = [];
  let first = firstQuarterOf(from, timeZone);
  for (let day = from; day <= to; day++) {
    const last = firstQuarterOf(day + 1, timeZone) - 1;
    for (let part = first; part <= last;) {
      const utcDay = Math.floor(part / QUARTERS_OF_DAY);
      const end = Math.min(last, (utcDay + 1) * QUARTERS_OF_DAY - 1);
      parts.push([utcDay, part, end, day]);
      part = end + 1;
    }
    first = last + 1;
  }
  return sql`(
    with days as materialized (
      select value ->> 0 as utc_day, value ->> 1 as first, value ->> 2 as last, value ->> 3 as "of"
      from json_each(${JSON.stringify(parts)})
    ) select * from days) as days on days.utc_day = quarter / ${sql.raw(String(QUARTERS_OF_DAY))}
      and quarter between first and last`;
}

/** Maximum days between the dates of two time zones at the same moment. */
const APART = 2;

function regroupEvents(ctx: Context, from: number, days: SQL): Statement[] {
  const { db } = ctx;
  const isMoved = sql`${events.day} >= ${from} and quarter is not null`;
  const added = addedAgain(sql`(
    select days."of" as day, network, visitor, kind, content, type, detail, seconds, is_attentive, source
    from ${events} cross join ${days} where ${isMoved})`);
  return [
    db.delete(totals).where(daysFrom(from)),
    db.delete(counts).where(daysFrom(from)),
    db.delete(sources).where(daysFrom(from)),
    addTotals(ctx, added),
    addCounts(ctx, added),
    addSources(ctx, added),
    db
      .update(events)
      .set({ day: sql`moved."of"` })
      .from(moved(sql`${events}`, days, isMoved))
      .where(sql`${events}.id = moved.id and ${events.day} <> moved."of"`),
    ...longSpans(from).flatMap(({ span, first }) => [
      db.delete(totals).where(spanFrom(span, first)),
      db.insert(totals).select(
        sql`select ${span}, start - start % ${span} as first, kind, content, sum(views), sum(visitors), sum(visits),
          sum(engaged), sum(readings), sum(reading_seconds), 0
        from ${totals} where ${spanFrom(1, first)} group by first, kind, content`,
      ),
      db.delete(counts).where(spanFrom(span, first)),
      db.insert(counts).select(
        sql`select ${span}, start - start % ${span} as first, kind, content, name, sum(count)
        from ${counts} where ${spanFrom(1, first)} group by first, kind, content, name`,
      ),
      db.delete(sources).where(spanFrom(span, first)),
      db.insert(sources).select(
        sql`select ${span}, start - start % ${span} as first, host, sum(views)
        from ${sources} where ${spanFrom(1, first)} group by first, host`,
      ),
    ]),
    db
      .update(totals)
      .set({ viewsSoFar: sql`summed.so_far` })
      .from(
        sql`(select rowid as place, sum(views) over (partition by kind, content order by start) as so_far
          from ${totals} where span = 1) as summed`,
      )
      .where(sql`${totals}.rowid = summed.place and views_so_far <> summed.so_far`),
  ];
}

function regroupDownloads(ctx: Context, from: number, days: SQL): Statement[] {
  const { db } = ctx;
  const isMoved = sql`${downloads.ownerDay} >= ${from} and quarter is not null`;
  const added = addedAgain(sql`(
    select days."of" as owner_day, episode_id, app, device, country
    from ${downloads} cross join ${days} where ${isMoved})`);
  return [
    db.delete(heard).where(daysFrom(from)),
    addDownloads(ctx, added),
    db
      .update(downloads)
      .set({ ownerDay: sql`moved."of"` })
      .from(moved(sql`${downloads}`, days, isMoved))
      .where(sql`${downloads}.id = moved.id and ${downloads.ownerDay} <> moved."of"`),
    ...longSpans(from).flatMap(({ span, first }) => [
      db.delete(heard).where(spanFrom(span, first)),
      db.insert(heard).select(
        sql`select facet, ${span}, start - start % ${span} as first, episode_id, value, sum(downloads), 0
        from ${heard} where facet in ('show', 'episode', 'app', 'device', 'country') and ${spanFrom(1, first)}
        group by facet, first, episode_id, value`,
      ),
    ]),
    db
      .update(heard)
      .set({ downloadsSoFar: sql`summed.so_far` })
      .from(
        sql`(select rowid as place, sum(downloads) over (partition by episode_id order by start) as so_far
          from ${heard} where span = 1 and facet = 'episode') as summed`,
      )
      .where(sql`${heard}.rowid = summed.place and downloads_so_far <> summed.so_far`),
  ];
}

const spanFrom = (span: number, start: number) => sql`span = ${span} and start >= ${start}`;
const daysFrom = (start: number) => spanFrom(1, start);

/** SQL: rows by id, with their new day. */
const moved = (table: SQL, days: SQL, isMoved: SQL) => sql`(
  select ${table}.id, days."of" from ${table} cross join ${days}
  where ${isMoved}) as moved`;

/** The spans summed from days, each with the first one affected by a moved day. */
const longSpans = (from: number) =>
  SPAN_DAYS.filter((span) => span > 1).map((span) => ({
    span,
    first: from - APART - ((from - APART) % span),
  }));
