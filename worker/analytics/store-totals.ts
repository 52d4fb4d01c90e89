import { sql, type SQL } from "drizzle-orm";
import { SPAN_DAYS } from "#worker/analytics/days.ts";
import {
  analyticsEvents as events,
  analyticsTotals as totals,
  type downloads,
} from "#worker/analytics/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** Statements that add events to the figures of contents and of the site. */

/** SQL: a table of spans, for a join. */
const spansIn = (spans: readonly number[]) =>
  sql.raw(`(${spans.map((days) => `select ${days} as span`).join(" union all ")})`);

/** Rows that are added to the roll-ups. */
export type Added = {
  /** SQL: the rows, as a table with the same columns. */
  rows: SQL;
  /** SQL: whether a row of it, `old`, was already counted. */
  isBefore: SQL;
  /** SQL: the spans to which the rows are added. */
  spans: SQL;
};

/** The rows after a mark, which is the last row before them. */
export const addedSince = (table: typeof events | typeof downloads, mark: SQL): Added => ({
  rows: sql`(select * from ${table} where id > ${mark})`,
  isBefore: sql`old.id <= ${mark}`,
  spans: spansIn([0, ...SPAN_DAYS]),
});

/** Rows whose days are recounted, with no earlier rows. */
export const addedAgain = (rows: SQL): Added => ({ rows, isBefore: sql`false`, spans: spansIn([1]) });

/** SQL: the first day of the span that a day is in. */
export const START = sql.raw("iif(span = 0, 0, day - day % span)");

/**
 * SQL: whether the visitor of a row of `given` has an earlier event like `what`. `of` restricts it to the row's
 * content.
 */
export const before = ({ isBefore }: Added, of: SQL, what: SQL) => sql`exists (
  select 1 from ${events} as old where old.network = given.network and ${of}
    and old.visitor = given.visitor and ${what} and ${isBefore})`;
export const sameContent = sql`old.kind = given.kind and old.content = given.content`;

export const addTotals = ({ db }: Context, added: Added) =>
  db
    .insert(totals)
    .select(
      sql`with given as (
        select day, network, visitor, kind, content, sum(type = 'page_view') as views,
          max(type = 'page_view') as is_view, max(is_attentive) as is_attentive,
          max(type = 'reading_time') as is_reading,
          sum(iif(type = 'reading_time', seconds, 0)) as seconds
        from ${added.rows} group by day, network, visitor, kind, content
      ),
      visits as (
        select given.*,
          is_view and not ${before(added, sameContent, sql`old.type = 'page_view'`)} as is_visit,
          is_view and not ${before(added, sql`true`, sql`old.type = 'page_view'`)} as is_new,
          is_attentive and not ${before(added, sameContent, sql`old.is_attentive`)} as is_engaged,
          is_reading and not ${before(added, sameContent, sql`old.type = 'reading_time'`)} as is_first_reading
        from given
      ),
      added as (
        select day, kind, content, sum(views) as views, sum(is_visit) as visitors, sum(is_visit) as visits,
          sum(is_engaged) as engaged, sum(is_first_reading) as readings, sum(seconds) as seconds
        from visits group by day, kind, content
        union all
        select day, 'site', '', sum(views), count(distinct iif(is_new, visitor, null)), sum(is_visit),
          sum(is_engaged), sum(is_first_reading), sum(seconds)
        from visits group by day
      )
      select span, ${START}, kind, content, views, visitors, visits, engaged, readings, seconds,
        iif(span = 1, views + coalesce((
          select earlier.views_so_far from ${totals} as earlier where earlier.span = 1
            and earlier.kind = added.kind and earlier.content = added.content and earlier.start < day
          order by earlier.start desc limit 1
        ), 0), 0)
      from added cross join ${added.spans} where true`,
    )
    .onConflictDoUpdate({
      target: [totals.span, totals.kind, totals.start, totals.content],
      set: {
        views: sql`${totals.views} + excluded.views`,
        visitors: sql`${totals.visitors} + excluded.visitors`,
        visits: sql`${totals.visits} + excluded.visits`,
        engaged: sql`${totals.engaged} + excluded.engaged`,
        readings: sql`${totals.readings} + excluded.readings`,
        readingSeconds: sql`${totals.readingSeconds} + excluded.reading_seconds`,
        viewsSoFar: sql`iif(${totals.span} = 1, ${totals.viewsSoFar} + excluded.views, 0)`,
      },
    });

/** Adds views that are stored after their day has ended to the cumulative counts of later days. */
export const addToLaterDays = ({ db }: Context, mark: SQL) =>
  db
    .update(totals)
    .set({ viewsSoFar: sql`views_so_far + late.views` })
    .from(
      sql`(
        select later.rowid as place, sum(added.views) as views
        from (
          select day, kind, content, count(*) as views from ${events}
          where ${events.id} > ${mark} and type = 'page_view' group by day, kind, content
          union all select day, 'site', '', count(*) from ${events}
          where ${events.id} > ${mark} and type = 'page_view' group by day
        ) as added
        cross join ${totals} as later on later.span = 1 and later.kind = added.kind
          and later.content = added.content and later.start > added.day
        group by later.rowid
      ) as late`,
    )
    .where(sql`${totals}.rowid = late.place`);
