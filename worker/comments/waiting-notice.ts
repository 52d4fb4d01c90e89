import { eq } from "drizzle-orm";
import { readNoticeAddress } from "#worker/accounts/notice-address.ts";
import { commentBoxCounts } from "#worker/comments/table.ts";
import { causedMailId, mailRow, type NewMail } from "#worker/mail/message.ts";
import type { Context } from "#worker/platform/context.ts";
import {
  enqueue,
  outboxRow,
  readOutboxRow,
  type Deliver,
  type OutboxRow,
} from "#worker/platform/work/outbox.ts";
import { countWithinLimits, endOfHour, type Limit } from "#worker/platform/http/rate.ts";
import type { Site } from "#worker/settings/contract.ts";
import { readSite, senderOf } from "#worker/settings/queries.ts";

export const WAITING_TOPIC = "comments-waiting";

/** Milliseconds. */
const HOUR = 3_600_000;
/** Milliseconds between a comment's time and its storage: an email sent in between may not have counted it. */
const STORED_WITHIN = 60_000;
const ONE_AN_HOUR: Limit = { subject: "comments-waiting-mail", most: 1 };

/**
 * Notifies the owner of pending comments, at most once an hour: for later ones in that hour an email follows at its end,
 * if they are still pending.
 */
export const tellOfWaiting: Deliver = async (ctx, _payload, row) => {
  if (await readOutboxRow(ctx, causedMailId(row.id))) return;
  const pending = await countPending(ctx);
  if (pending === 0) return;
  if (!(await countWithinLimits(ctx, [ONE_AN_HOUR]))) return tellLater(ctx, row);
  const site = await readSite(ctx);
  const to = await readNoticeAddress(ctx, site);
  const { id, statement } = mailRow(ctx, waitingMail(ctx, site, { to, pending }), row.id);
  await statement;
  enqueue(ctx, id);
};

async function countPending({ db }: Context) {
  const [row] = await db
    .select({ count: commentBoxCounts.count })
    .from(commentBoxCounts)
    .where(eq(commentBoxCounts.status, "pending"));
  return row?.count ?? 0;
}

/**
 * Schedules one row for the end of the latest email's hour, for any number of comments; the sweep finds it. None for
 * comments that this email already counted; a failed attempt may have counted without sending.
 */
async function tellLater(ctx: Context, { createdAt, attempts }: OutboxRow) {
  const notBefore = (await endOfHour(ctx, ONE_AN_HOUR)) ?? ctx.now;
  const isTold = createdAt.getTime() < notBefore.getTime() - HOUR - STORED_WITHIN;
  if (isTold && attempts === 1) return;
  const id = `comments-waiting-${notBefore.getTime()}`;
  await outboxRow(ctx, WAITING_TOPIC, {}, { id, notBefore }).statement.onConflictDoNothing();
}

function waitingMail(ctx: Context, site: Site, { to, pending }: { to: string; pending: number }): NewMail {
  const [subject, text] =
    pending === 1
      ? ["New comment to review", "A comment is waiting for your review."]
      : [`${pending} comments to review`, `${pending} comments are waiting for your review.`];
  return {
    ...senderOf(ctx, site),
    to,
    subject: `${subject} on ${site.name}`,
    parts: [
      `${text} Nothing is shown until you approve it.`,
      { label: "Review comments", href: `${ctx.config.siteUrl}/admin/guests/comments` },
      "You get this email at most once an hour.",
    ],
  };
}
