import { sql } from "drizzle-orm";
import { commentStatuses } from "#worker/comments/contract.ts";
import { comments } from "#worker/comments/table.ts";
import { monthsBefore } from "#worker/platform/calendar.ts";
import type { Context } from "#worker/platform/context.ts";
import { readSite } from "#worker/settings/queries.ts";

/** Rows of a run. */
const A_STATUS = 500;
const HIDDEN = commentStatuses.filter((status) => status !== "approved");

/** Deletes comments that are not shown and are older than the settings let them be. */
export async function pruneComments(ctx: Context) {
  const { retention } = await readSite(ctx);
  if (retention.comments === null) return;
  const past = monthsBefore(ctx.now, retention.comments).getTime();
  // Of each status the first: they are numbered as they came, so that few are read that are too young to go.
  const old = HIDDEN.map(
    (status) => sql`select id from (
      select id, created_at from ${comments} where status = ${status} order by id limit ${A_STATUS})
      where created_at < ${past}`,
  );
  await ctx.db.delete(comments).where(sql`${comments.id} in (${sql.join(old, sql` union all `)})`);
}
