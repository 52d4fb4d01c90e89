import { sql, type SQL } from "drizzle-orm";
import { isPublishedArticle } from "#worker/articles/queries.ts";
import { isPublishedEpisode } from "#worker/episodes/queries.ts";
import type { DatedMessage } from "#worker/analytics/dated.ts";
import {
  addToLaterDays,
  addTotals,
  addedSince,
  before,
  sameContent,
  START,
  type Added,
} from "#worker/analytics/store-totals.ts";
import {
  analyticsBatches as batches,
  analyticsCounts as counts,
  analyticsEvents as events,
  analyticsRejections as rejections,
  analyticsSources as sources,
} from "#worker/analytics/table.ts";
import type { Context } from "#worker/platform/context.ts";

/**
 * The statements that store events and add them to the roll-ups, for one batch. Each covers only messages that this run
 * stored first, so that the batch is repeatable.
 */

/** Daily limits per network; events beyond them are rejected as a flood. */
const VISITORS_OF_NETWORK = 20;
/** Events of the same kind about the same content. */
const SAME_OF_NETWORK = 20;
const EVENTS_OF_NETWORK = 1000;
/** Maximum referrer hosts per day; the rest count as one. */
const SOURCES_OF_DAY = 200;
/** Maximum new referrer hosts per network and day. */
const SOURCES_OF_NETWORK = 5;
/** Seconds of audio per step of last positions. */
export const STOP_STEP = 30;

/** A run of the consumer and the ids of its messages. */
export type Run = { name: string; ids: string[] };

export function eventStatements(
  ctx: Context,
  run: Run,
  messages: Extract<DatedMessage, { kind: "events" }>[],
) {
  const rows = JSON.stringify(
    messages.flatMap(({ id, ownerDay, quarter, network, visitor, events: given }) =>
      given.map((event) => [
        id,
        ownerDay,
        network,
        visitor,
        event.key,
        event.kind,
        event.content,
        event.type,
        event.detail,
        event.seconds,
        Number(event.isAttentive),
        event.sentAt,
        event.source,
        quarter,
      ]),
    ),
  );
  const mark = markOf(run, batches.eventMark);
  const added = addedSince(events, mark);
  return [
    insertEvents(ctx, run, rows),
    addTotals(ctx, added),
    addToLaterDays(ctx, mark),
    addCounts(ctx, added),
    moveStops(ctx, mark),
    addSources(ctx, added),
    addRejected(ctx, run, rows),
  ] as const;
}

/** SQL: the last row id when the run began; null if the run stores nothing. */
export const markOf = ({ name, ids }: Run, column: typeof batches.eventMark | typeof batches.downloadMark) =>
  sql`(select max(${column}) from ${batches}
    where ${batches.id} in (select value from json_each(${JSON.stringify(ids)})) and ${batches.run} = ${name})`;

const given = (rows: string) => sql`select
    json_each.key as position, value ->> 0 as batch, value ->> 1 as day, value ->> 2 as network,
    value ->> 3 as visitor, value ->> 4 as "key", value ->> 5 as kind, value ->> 6 as content, value ->> 7 as type,
    value ->> 8 as detail, value ->> 9 as seconds, value ->> 10 as attentive, value ->> 11 as sent_at,
    value ->> 12 as source, value ->> 13 as quarter
  from json_each(${rows})`;

/** SQL: the events of messages that no other run has stored, without duplicates of earlier events. */
const fresh = ({ name }: Run, rows: string) => sql`
  given as (${given(rows)}),
  fresh as (
    select given.*, row_number() over (partition by given."key" order by position) as copy
    from given inner join ${batches} on ${batches.id} = given.batch and ${batches.run} = ${name}
    where not exists (select 1 from ${events} where ${events.key} = given."key")
  )`;

/** SQL: whether a row is about public content. */
const isKnown = sql`(kind = 'page'
  or (kind = 'article' and ${isPublishedArticle(sql`cast(fresh.content as integer)`)})
  or (kind = 'episode' and ${isPublishedEpisode(sql`cast(fresh.content as integer)`)}))`;

const insertEvents = ({ db }: Context, run: Run, rows: string) =>
  db
    .insert(events)
    .select(
      sql`with ${fresh(run, rows)},
      known as (select * from fresh where copy = 1 and ${isKnown}),
      earlier as (
        select network, count(*) as events, count(distinct visitor) as visitors from ${events}
        where network in (select network from known) group by network
      ),
      newcomers as (
        select network, visitor, row_number() over (partition by network order by min(position)) as nth
        from known where not exists (
          select 1 from ${events} where ${events.network} = known.network and ${events.visitor} = known.visitor
        ) group by network, visitor
      ),
      admitted as (
        select known.*, coalesce(earlier.events, 0) as earlier_events,
          row_number() over (partition by known.network, kind, content, type order by position) as nth
        from known
        left join newcomers on newcomers.network = known.network and newcomers.visitor = known.visitor
        left join earlier on earlier.network = known.network
        where newcomers.nth is null or newcomers.nth + coalesce(earlier.visitors, 0) <= ${VISITORS_OF_NETWORK}
      ),
      capped as (
        select *, row_number() over (partition by network order by position) as nth_of_all from admitted
        where nth + (
          select count(*) from ${events} where ${events.network} = admitted.network
            and ${events.kind} = admitted.kind and ${events.content} = admitted.content
            and ${events.type} = admitted.type
        ) <= ${SAME_OF_NETWORK}
      )
      select null, "key", day, quarter, network, visitor, kind, content, type, detail, seconds, attentive, sent_at, source
      from capped where nth_of_all + earlier_events <= ${EVENTS_OF_NETWORK} order by position`,
    )
    .onConflictDoNothing();

const countTarget = [counts.kind, counts.content, counts.span, counts.start, counts.name];
const addToCount = { count: sql`${counts.count} + excluded.count` };

export const addCounts = ({ db }: Context, of: Added) =>
  db
    .insert(counts)
    .select(
      sql`with given as (
        select distinct day, network, visitor, kind, content, type, detail from ${of.rows}
        where type not in ('page_view', 'reading_time', 'podcast_pause')
      ),
      added as (
        select day, kind, content, type || iif(detail = '', '', ':' || detail) as name, count(*) as count
        from given
        where not ${before(of, sameContent, sql`old.type = given.type and old.detail = given.detail`)}
        group by day, kind, content, type, detail
      )
      select span, ${START}, kind, content, name, count from (
        select * from added union all select day, 'site', '', name, sum(count) from added group by day, name
      ) cross join ${of.spans} where true`,
    )
    .onConflictDoUpdate({ target: countTarget, set: addToCount });

/** SQL: the last position of a listener in an episode on a day, by the listener's clock. */
const lastPosition = (what: SQL) => sql`(
  select seconds / ${sql.raw(String(STOP_STEP))} * ${sql.raw(String(STOP_STEP))} from ${events} as old
  where old.network = given.network and ${sameContent} and old.type in ('podcast_pause', 'podcast_complete')
    and old.visitor = given.visitor and ${what} order by old.sent_at desc, old."key" desc limit 1)`;

/** Updates where listeners stop: a listener who continues moves from the earlier step to the later one. */
const moveStops = ({ db }: Context, mark: SQL) =>
  db
    .insert(counts)
    .select(
      sql`with given as (
        select distinct network, visitor, kind, content from ${events}
        where ${events.id} > ${mark} and kind = 'episode' and type in ('podcast_pause', 'podcast_complete')
      ),
      moved as (
        select content, ${lastPosition(sql`old.id <= ${mark}`)} as second, -1 as change from given
        union all select content, ${lastPosition(sql`true`)}, 1 from given
      )
      select 0, 0, 'episode', content, 'stop:' || second, sum(change) from moved
      where second is not null group by content, second having sum(change) <> 0`,
    )
    .onConflictDoUpdate({ target: countTarget, set: addToCount });

/** SQL: whether the host already occurred on the row's day. */
const isKnownHost = (host: SQL) => sql`exists (
  select 1 from ${sources} as known where known.span = 1 and known.start = day and known.host = ${host})`;

export const addSources = ({ db }: Context, added: Added) =>
  db
    .insert(sources)
    .select(
      sql`with given as (
        select day, network, source as host, count(*) as views, ${isKnownHost(sql`source`)} as is_known
        from ${added.rows} where type = 'page_view' and source is not null
        group by day, network, source
      ),
      fair as (
        select day, views, iif(is_known or (
            select count(distinct old.source) from ${events} as old
            where old.network = given.network and old.source is not null and ${added.isBefore}
          ) + row_number() over (partition by network, is_known order by views desc, host)
          <= ${SOURCES_OF_NETWORK}, host, 'other') as host
        from given
      ),
      ranked as (
        select day, host, sum(views) as views, ${isKnownHost(sql`host`)} as is_known from fair group by day, host
      ),
      named as (
        select day, views, iif(is_known or (
            select count(*) from ${sources} where ${sources.span} = 1 and start = day
          ) + row_number() over (partition by day, is_known order by views desc, host) <= ${SOURCES_OF_DAY},
          host, 'other') as host
        from ranked
      )
      select span, ${START}, host, sum(views) from named cross join ${added.spans} where true group by 1, 2, 3`,
    )
    .onConflictDoUpdate({
      target: [sources.span, sources.start, sources.host],
      set: { views: sql`${sources.views} + excluded.views` },
    });

/** Runs after the insert: counts new events that were not stored. */
const addRejected = ({ db }: Context, run: Run, rows: string) =>
  db
    .insert(rejections)
    .select(
      sql`with ${fresh(run, rows)}
      select day, 'events', iif(${isKnown}, 'flood', 'unknown-content'), count(*) from fresh where copy = 1
      group by 1, 3`,
    )
    .onConflictDoUpdate({
      target: [rejections.day, rejections.of, rejections.reason],
      set: { count: sql`${rejections.count} + excluded.count` },
    });
