import { sql } from "drizzle-orm";
import { commentStatuses } from "#worker/comments/contract.ts";
import { comments } from "#worker/comments/table.ts";
import { monthsBefore } from "#worker/platform/time/calendar.ts";
import type { Context } from "#worker/platform/context.ts";
import { readSite } from "#worker/settings/queries.ts";
import { SPAM_RETENTION } from "#worker/spam/judge.ts";

/** Rows per status and run. */
const A_STATUS = 500;
const HIDDEN = commentStatuses.filter((status) => status !== "approved" && status !== "spam");

/**
 * Deletes comments 30 days after they became spam, and other hidden comments past the retention time of the settings.
 */
export async function pruneComments(ctx: Context) {
  const { retention } = await readSite(ctx);
  const spamPast = ctx.now.getTime() - SPAM_RETENTION;
  // The lowest ids of each status: ids increase with time, so that few recent rows are read.
  const spam = sql`select id from (
    select id, updated_at from ${comments} where status = 'spam' order by id limit ${A_STATUS})
    where updated_at < ${spamPast}`;
  const { comments: months } = retention;
  const old = (months === null ? [] : HIDDEN).map(
    (status) => sql`select id from (
      select id, created_at from ${comments} where status = ${status} order by id limit ${A_STATUS})
      where created_at < ${monthsBefore(ctx.now, months!).getTime()}`,
  );
  await ctx.db.delete(comments).where(sql`${comments.id} in (${sql.join([spam, ...old], sql` union all `)})`);
}
