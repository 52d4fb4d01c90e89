import { lt, sql } from "drizzle-orm";
import { isRobot } from "#worker/analytics/agents.ts";
import { noteRobot } from "#worker/analytics/collector.ts";
import { EventsInput } from "#worker/analytics/contract.ts";
import { dayAt, dayOf, quarterOf } from "#worker/analytics/days.ts";
import { toStored } from "#worker/analytics/events.ts";
import { deleteSalts, hashesOf, readRules } from "#worker/analytics/salts-and-lists.ts";
import { LISTENERS_OF_NETWORK } from "#worker/analytics/store-downloads.ts";
import { sendOrStore } from "#worker/analytics/store-messages.ts";
import {
  analyticsBatches,
  analyticsEvents,
  analyticsRejections,
  downloadParts,
  downloads,
} from "#worker/analytics/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { readSite } from "#worker/settings/queries.ts";

/**
 * Accepts a browser's events; after the response they are anonymised and queued. Ignores users of the admin area,
 * robots, and visitors who opted out.
 * @throws `invalid`
 */
export async function recordEvents(
  ctx: Context,
  input: EventsInput,
  { isOptedOut }: { isOptedOut: boolean },
) {
  const { events } = parseInput(EventsInput, input);
  if (isOptedOut || ctx.actor.kind === "user") return;
  ctx.later(anonymizeAndSend(ctx, events));
}

async function anonymizeAndSend(ctx: Context, events: EventsInput["events"]) {
  const rules = await readRules(ctx);
  if (isRobot(ctx.client.userAgent, rules.own)) return noteRobot(ctx, events.length);
  const [hashes, stored] = await Promise.all([
    hashesOf(rules.events, ctx.client),
    Promise.all(events.map((event) => toStored(event, ctx.config.siteUrl))),
  ]);
  await sendOrStore(ctx, {
    kind: "events",
    id: crypto.randomUUID(),
    quarter: quarterOf(ctx.now),
    ...hashes,
    events: stored,
  });
}

/** Milliseconds after which a queue no longer redelivers a message. */
const KEEP_BATCHES_MS = 15 * 86_400_000;
/** Rows per statement, and statements per run; the next run continues. */
const SLICE = 20_000;
const SLICES = 10;

/** Deletes expired salts, parts of downloads, single events and downloads. The roll-ups stay. */
export async function pruneAnalytics(ctx: Context) {
  const { db, now } = ctx;
  const { timeZone } = await readSite(ctx);
  const [today, todayOfUtc] = [dayAt(now, timeZone), dayOf(now)];
  await deleteSalts(ctx, { events: today, downloads: todayOfUtc });
  await db
    .delete(analyticsBatches)
    .where(lt(analyticsBatches.storedAt, new Date(now.getTime() - KEEP_BATCHES_MS)));
  await db.batch([
    countUnfinished(ctx, todayOfUtc),
    db.delete(downloadParts).where(lt(downloadParts.day, todayOfUtc)),
  ]);
  const { own } = await readRules(ctx);
  const oldest = today - own.keepDays;
  for (const [table, day] of [
    [analyticsEvents, analyticsEvents.day],
    [downloads, downloads.ownerDay],
  ] as const) {
    for (let slice = 0; slice < SLICES; slice++) {
      // Ids increase with the days, so the oldest rows need no index.
      const ids = sql`(select id from ${table} order by id limit ${SLICE})`;
      const { meta } = await db.delete(table).where(sql`id in ${ids} and ${day} < ${oldest}`);
      if (meta.changes < SLICE) break;
    }
  }
}

/** For past UTC days: listeners who never reached a download, or whose network was over its limit. */
const countUnfinished = ({ db }: Context, today: number) =>
  db
    .insert(analyticsRejections)
    .select(
      sql`with unfinished as (
        select distinct day, network, listener, episode_id, (
            select count(*) from ${downloads} where ${downloads.network} = ${downloadParts.network}
              and ${downloads.episodeId} = ${downloadParts.episodeId}
          ) >= ${LISTENERS_OF_NETWORK} as is_flood
        from ${downloadParts}
        where day < ${today} and not exists (
          select 1 from ${downloads} where ${downloads.network} = ${downloadParts.network}
            and ${downloads.episodeId} = ${downloadParts.episodeId}
            and ${downloads.listener} = ${downloadParts.listener} and ${downloads.day} = ${downloadParts.day}
        )
      )
      select day, 'downloads', iif(is_flood, 'flood', 'too-little'), count(*) from unfinished
      where true group by day, is_flood`,
    )
    .onConflictDoUpdate({
      target: [analyticsRejections.day, analyticsRejections.of, analyticsRejections.reason],
      set: { count: sql`${analyticsRejections.count} + excluded.count` },
    });
