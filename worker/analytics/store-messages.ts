import { sql } from "drizzle-orm";
import { datedBy, type DatedMessage } from "#worker/analytics/dated.ts";
import { sendMessage, type AnalyticsMessage } from "#worker/analytics/messages.ts";
import { downloadStatements } from "#worker/analytics/store-downloads.ts";
import { eventStatements, type Run } from "#worker/analytics/store-events.ts";
import { analyticsBatches, analyticsEvents, downloads } from "#worker/analytics/table.ts";
import { followTimeZone } from "#worker/analytics/time-zone.ts";
import type { Context } from "#worker/platform/context.ts";
import { logWarning } from "#worker/platform/log.ts";

/** Events and parts of downloads that one batch of D1 stores. */
const MAX_ROWS = 1000;

/** Stores messages of the queue and adds them to the roll-ups. Idempotent for redelivered messages. */
export async function storeMessages(ctx: Context, messages: AnalyticsMessage[]) {
  const timeZone = await followTimeZone(ctx);
  const dated = datedBy(timeZone, messages);
  let chunk: DatedMessage[] = [];
  let size = 0;
  for (const message of new Map(dated.map((each) => [each.id, each])).values()) {
    const rows = message.kind === "events" ? message.events.length : message.parts.length;
    if (size + rows > MAX_ROWS && chunk.length > 0) {
      await storeChunk(ctx, chunk);
      [chunk, size] = [[], 0];
    }
    chunk.push(message);
    size += rows;
  }
  if (chunk.length > 0) await storeChunk(ctx, chunk);
}

async function storeChunk(ctx: Context, messages: DatedMessage[]) {
  const run: Run = { name: crypto.randomUUID(), ids: messages.map(({ id }) => id) };
  const seen = messages.filter((message) => message.kind === "events");
  const heard = messages.filter((message) => message.kind === "downloads");
  await ctx.db.batch([
    beginRun(ctx, run),
    ...(seen.length > 0 ? eventStatements(ctx, run, seen) : []),
    ...(heard.length > 0 ? downloadStatements(ctx, run, heard) : []),
  ]);
}

const beginRun = ({ db, now }: Context, { name, ids }: Run) =>
  db
    .insert(analyticsBatches)
    .select(
      sql`select distinct value, ${name}, coalesce((select max(id) from ${analyticsEvents}), 0),
        coalesce((select max(id) from ${downloads}), 0), ${now.getTime()}
      from json_each(${JSON.stringify(ids)}) where true`,
    )
    .onConflictDoNothing();

/**
 * Sends a message to the queue. If the queue does not take it, as after the day's last operation on the free plan, it is
 * stored immediately.
 */
export async function sendOrStore(ctx: Context, message: AnalyticsMessage) {
  try {
    await sendMessage(ctx.events, message);
  } catch (error) {
    logWarning("analytics: the queue did not take a message", error);
    await storeMessages(ctx, [message]);
  }
}
