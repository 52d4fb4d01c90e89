import { asc, inArray, lt } from "drizzle-orm";
import { enquiries } from "#worker/enquiries/table.ts";
import { monthsBefore } from "#worker/platform/calendar.ts";
import type { Context } from "#worker/platform/context.ts";
import { readSite } from "#worker/settings/queries.ts";

const PRUNED_A_RUN = 2000;

/** Deletes enquiries that are older than the settings let them be, whatever became of them, with the mails about them. */
export async function pruneEnquiries(ctx: Context) {
  const { retention } = await readSite(ctx);
  if (retention.enquiries === null) return;
  const old = ctx.db
    .select({ id: enquiries.id })
    .from(enquiries)
    .where(lt(enquiries.createdAt, monthsBefore(ctx.now, retention.enquiries)))
    .orderBy(asc(enquiries.createdAt))
    .limit(PRUNED_A_RUN);
  await ctx.db.delete(enquiries).where(inArray(enquiries.id, old));
}
