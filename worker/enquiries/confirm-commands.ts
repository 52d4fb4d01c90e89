import { and, eq, inArray, isNull, lt } from "drizzle-orm";
import { readNoticeAddress } from "#worker/accounts/notice-address.ts";
import { findByLink } from "#worker/enquiries/confirmation.ts";
import { ConfirmEnquiryInput, INVALID_LINK, type Sent } from "#worker/enquiries/contract.ts";
import { mailsOf } from "#worker/enquiries/mails.ts";
import { enquiryEvent, isWaiting, rowAbout } from "#worker/enquiries/record-enquiry.ts";
import { enquiries } from "#worker/enquiries/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { enqueue } from "#worker/platform/work/outbox.ts";
import { deleteInBatches } from "#worker/platform/data/prune.ts";
import { readSite } from "#worker/settings/queries.ts";

/** Milliseconds: the lifetime of the link, and a day. */
const UNCONFIRMED_RETENTION = 8 * 86_400_000;

/**
 * Confirms an enquiry by its mailed link: it arrives and sends its emails, also from the spam. The reason for spam stays
 * stored. Idempotent.
 * @throws `invalid`, also for an expired link
 */
export async function confirmEnquiry(ctx: Context, input: ConfirmEnquiryInput) {
  const { token } = parseInput(ConfirmEnquiryInput, input);
  const enquiry = await findByLink(ctx, token);
  if (!enquiry) throw new AppError("invalid", INVALID_LINK, { field: "token" });
  const { digest } = enquiry;
  const id = String(enquiry.id);
  const site = await readSite(ctx);
  const to = await readNoticeAddress(ctx, site);
  const { notice, receipt } = mailsOf(ctx, site, enquiry as Sent, { to, id });
  const isDue = and(eq(enquiries.id, enquiry.id), isWaiting(digest));
  const rows = await Promise.all(
    [notice, receipt].map((mail) => rowAbout(ctx, mail, { digest, slot: id, isDue })),
  );
  const confirm = ctx.db
    .update(enquiries)
    .set({ confirmedAt: ctx.now, isSpam: false, updatedAt: ctx.now })
    .where(isDue)
    .returning({ id: enquiries.id });
  // The emails first: they are written only if the update will confirm the enquiry.
  const [confirmed] = await ctx.db.batch([
    ctx.db.select({ id: enquiries.id }).from(enquiries).where(isDue),
    ...rows.map(({ statement }) => statement),
    enquiryEvent(ctx, isDue!),
    confirm,
  ]);
  if (confirmed.length > 0) enqueue(ctx, ...rows.map((row) => row.id));
}

/** Deletes unconfirmed enquiries. */
export async function pruneUnconfirmedEnquiries({ db, now }: Context) {
  const past = new Date(now.getTime() - UNCONFIRMED_RETENTION);
  const old = db
    .select({ id: enquiries.id })
    .from(enquiries)
    .where(and(isNull(enquiries.confirmedAt), lt(enquiries.createdAt, past)));
  await deleteInBatches((limit) => db.delete(enquiries).where(inArray(enquiries.id, old.limit(limit))));
}
