import { and, asc, eq, inArray, lt, notExists } from "drizzle-orm";
import { enquiryKinds } from "#worker/enquiries/contract.ts";
import { isPlanned } from "#worker/enquiries/owner/planned.ts";
import { enquiries, enquiryMails } from "#worker/enquiries/table.ts";
import { monthsBefore } from "#worker/platform/time/calendar.ts";
import type { Context } from "#worker/platform/context.ts";
import { deleteInBatches } from "#worker/platform/data/prune.ts";
import { readSite } from "#worker/settings/queries.ts";
import { SPAM_RETENTION } from "#worker/spam/judge.ts";

const PRUNED_A_RUN = 2000;

/**
 * Deletes enquiries 30 days after they became spam, and all enquiries past the retention time of the settings, with
 * their emails.
 */
export async function pruneEnquiries(ctx: Context) {
  await pruneSpam(ctx);
  const { retention } = await readSite(ctx);
  if (retention.enquiries === null) return;
  const old = ctx.db
    .select({ id: enquiries.id })
    .from(enquiries)
    .where(
      and(
        lt(enquiries.createdAt, monthsBefore(ctx.now, retention.enquiries)),
        // Except enquiries with a future recording.
        notExists(
          ctx.db
            .select({ id: enquiryMails.id })
            .from(enquiryMails)
            .where(and(eq(enquiryMails.enquiryId, enquiries.id), isPlanned(ctx))),
        ),
      ),
    )
    .orderBy(asc(enquiries.createdAt))
    .limit(PRUNED_A_RUN);
  await ctx.db.delete(enquiries).where(inArray(enquiries.id, old));
}

async function pruneSpam({ db, now }: Context) {
  const past = new Date(now.getTime() - SPAM_RETENTION);
  const spam = db
    .select({ id: enquiries.id })
    .from(enquiries)
    // Lists every kind, so that SQLite uses the index of the boxes.
    .where(
      and(inArray(enquiries.kind, enquiryKinds), eq(enquiries.box, "spam"), lt(enquiries.updatedAt, past)),
    );
  await deleteInBatches((limit) => db.delete(enquiries).where(inArray(enquiries.id, spam.limit(limit))));
}
