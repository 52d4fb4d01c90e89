import { sql, type SQL } from "drizzle-orm";
import { audioColumns, joinPublishedAudio } from "#worker/episodes/audio-queries.ts";
import type { DatedMessage } from "#worker/analytics/dated.ts";
import { QUARTERS_OF_DAY } from "#worker/analytics/days.ts";
import { markOf, type Run } from "#worker/analytics/store-events.ts";
import { addedSince, START, type Added } from "#worker/analytics/store-totals.ts";
import {
  analyticsBatches as batches,
  analyticsRejections as rejections,
  downloadParts as parts,
  downloads,
  downloadTotals as totals,
} from "#worker/analytics/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** Maximum listeners per network, episode and day. */
export const LISTENERS_OF_NETWORK = 20;
/** Maximum stored ranges of a listener who has not reached a minute yet. */
const PARTS_OF_LISTENER = 200;
/** Maximum stored ranges per network and episode. */
const PARTS_OF_NETWORK = 2000;

/** The statements that store downloads, for one repeatable batch, as for events. */
export function downloadStatements(
  ctx: Context,
  run: Run,
  messages: Extract<DatedMessage, { kind: "downloads" }>[],
) {
  const rows = JSON.stringify(
    messages.flatMap(({ id, ownerDay, quarter, parts: given }) =>
      given.map(({ file, network, listener, first, last, app, device, country }) => [
        id,
        // The UTC day.
        Math.floor(quarter / QUARTERS_OF_DAY),
        file,
        network,
        listener,
        first,
        last,
        app,
        device,
        country,
        ownerDay,
        quarter,
      ]),
    ),
  );
  const refused = JSON.stringify(
    messages.flatMap(({ id, ownerDay, rejections: given }) =>
      given.map(({ of, reason, count }) => [id, ownerDay, of, reason, count]),
    ),
  );
  const mark = markOf(run, batches.downloadMark);
  return [
    insertParts(ctx, run, rows),
    insertDownloads(ctx, run, rows),
    addDownloads(ctx, addedSince(downloads, mark)),
    addToLaterDays(ctx, mark),
    addRejected(ctx, run, rows),
    addRefused(ctx, run, refused),
  ] as const;
}

/** SQL: the parts of messages that no other run has stored, each with the episode of its audio, or null. */
const given = ({ name }: Run, rows: string) => sql`
  given as (
    select json_each.key as position, value ->> 1 as day, value ->> 3 as network, value ->> 4 as listener,
      value ->> 5 as first, value ->> 6 as last, value ->> 7 as app, value ->> 8 as device, value ->> 9 as country,
      value ->> 10 as owner_day, value ->> 11 as quarter,
      ${audioColumns}
    from json_each(${rows})
    inner join ${batches} on ${batches.id} = value ->> 0 and ${batches.run} = ${name}
    ${joinPublishedAudio(sql`value ->> 2`)}
  )`;

/** SQL: the row's listener has downloaded the episode on the same day of UTC. */
const isCounted = (of: SQL) => sql`exists (select 1 from ${downloads}
  where ${downloads.network} = ${of}.network and ${downloads.episodeId} = ${of}.episode_id
    and ${downloads.listener} = ${of}.listener and ${downloads.day} = ${of}.day)`;

const insertParts = ({ db }: Context, run: Run, rows: string) =>
  db
    .insert(parts)
    .select(
      sql`with ${given(run, rows)},
      new as (
        select given.*,
          row_number() over (partition by day, network, episode_id, listener order by position) as nth,
          row_number() over (partition by day, network, episode_id order by position) as nth_of_network
        from given where episode_id is not null and not ${isCounted(sql`given`)}
      ),
      earlier as (
        select ${parts.day}, ${parts.network}, ${parts.episodeId}, count(*) as parts from ${parts}
        where (${parts.day}, ${parts.network}) in (select day, network from new) group by 1, 2, 3
      )
      select day, episode_id, network, listener, first, last
      from new left join earlier using (day, network, episode_id)
      where nth_of_network + coalesce(earlier.parts, 0) <= ${PARTS_OF_NETWORK} and nth + (
        select count(*) from ${parts} where ${parts.day} = new.day and ${parts.network} = new.network
          and ${parts.listener} = new.listener and ${parts.episodeId} = new.episode_id
      ) <= ${PARTS_OF_LISTENER}`,
    )
    .onConflictDoNothing();

/** SQL: the bytes of the header and a minute of audio; the whole file if it is shorter or its length is unknown. */
const threshold = sql`iif(coalesce(seconds, 0) < 60, size,
  min(size, coalesce(audio_start, 0) + (size - coalesce(audio_start, 0)) * 60.0 / seconds))`;

/** Bytes requested twice count once. */
const insertDownloads = ({ db }: Context, run: Run, rows: string) =>
  db
    .insert(downloads)
    .select(
      sql`with ${given(run, rows)},
      asked as (
        select day, network, listener, episode_id, min(position) as position, app, device, country,
          owner_day, quarter, ${threshold} as threshold
        from given where episode_id is not null and not ${isCounted(sql`given`)}
        group by day, network, listener, episode_id
      ),
      ranges as (
        select asked.*, ${parts.first} as first, ${parts.last} as last,
          coalesce(max(${parts.last}) over (
            partition by asked.day, asked.network, asked.listener, asked.episode_id
            order by ${parts.first}, ${parts.last} rows between unbounded preceding and 1 preceding), -1) as reached
        from asked inner join ${parts} on ${parts.day} = asked.day and ${parts.network} = asked.network
          and ${parts.listener} = asked.listener and ${parts.episodeId} = asked.episode_id
      ),
      complete as (
        select day, network, listener, episode_id, position, app, device, country, owner_day, quarter from ranges
        group by day, network, listener, episode_id
        having sum(max(0, last - max(first - 1, reached))) >= max(threshold)
      ),
      ranked as (
        select complete.*, row_number() over (partition by network, episode_id, day order by position) as nth
        from complete
      )
      select null, day, episode_id, network, listener, app, device, country, owner_day, quarter from ranked
      where nth + (
        select count(*) from ${downloads} where ${downloads.network} = ranked.network
          and ${downloads.episodeId} = ranked.episode_id
      ) <= ${LISTENERS_OF_NETWORK}`,
    )
    .onConflictDoNothing();

export const addDownloads = ({ db }: Context, of: Added) =>
  db
    .insert(totals)
    .select(
      sql`with new as (select * from ${of.rows}),
      added as (
        select 'show' as facet, owner_day as day, 0 as episode, '' as value, count(*) as downloads
        from new group by owner_day
        union all select 'episode', owner_day, episode_id, '', count(*) from new group by owner_day, episode_id
        union all select 'app', owner_day, 0, app, count(*) from new group by owner_day, app
        union all select 'device', owner_day, 0, device, count(*) from new group by owner_day, device
        union all select 'country', owner_day, 0, country, count(*) from new group by owner_day, country
      )
      select facet, span, ${START}, episode, value, downloads,
        iif(span = 1 and facet = 'episode', downloads + coalesce((
          select earlier.downloads_so_far from ${totals} as earlier where earlier.span = 1
            and earlier.facet = 'episode' and earlier.episode_id = added.episode and earlier.start < day
          order by earlier.start desc limit 1
        ), 0), 0)
      from added cross join ${of.spans} where true`,
    )
    .onConflictDoUpdate({
      target: [totals.facet, totals.span, totals.start, totals.episodeId, totals.value],
      set: {
        downloads: sql`${totals.downloads} + excluded.downloads`,
        downloadsSoFar: sql`iif(${totals.span} = 1 and ${totals.facet} = 'episode',
          ${totals.downloadsSoFar} + excluded.downloads, 0)`,
      },
    });

/** Adds downloads that are stored after their day has ended to the cumulative counts of later days. */
const addToLaterDays = ({ db }: Context, mark: SQL) =>
  db
    .update(totals)
    .set({ downloadsSoFar: sql`downloads_so_far + late.downloads` })
    .from(
      sql`(
        select later.rowid as place, sum(added.downloads) as downloads
        from (
          select owner_day as day, episode_id, count(*) as downloads from ${downloads}
          where ${downloads.id} > ${mark} group by owner_day, episode_id
        ) as added
        cross join ${totals} as later on later.span = 1 and later.facet = 'episode'
          and later.episode_id = added.episode_id and later.start > added.day
        group by later.rowid
      ) as late`,
    )
    .where(sql`${totals}.rowid = late.place`);

const reject = {
  target: [rejections.day, rejections.of, rejections.reason],
  set: { count: sql`${rejections.count} + excluded.count` },
};

const addRejected = ({ db }: Context, run: Run, rows: string) =>
  db
    .insert(rejections)
    .select(
      sql`with ${given(run, rows)}
      select owner_day, 'downloads', 'not-an-episode', count(*) from given where episode_id is null
      group by owner_day`,
    )
    .onConflictDoUpdate(reject);

const addRefused = ({ db }: Context, { name }: Run, rows: string) =>
  db
    .insert(rejections)
    .select(
      sql`select value ->> 1, value ->> 2, value ->> 3, sum(value ->> 4) from json_each(${rows})
      inner join ${batches} on ${batches.id} = value ->> 0 and ${batches.run} = ${name} group by 1, 2, 3`,
    )
    .onConflictDoUpdate(reject);
