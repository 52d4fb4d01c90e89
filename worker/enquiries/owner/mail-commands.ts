import { and, eq, gte, sql } from "drizzle-orm";
import { requireCapability, requireUser } from "#worker/access/capabilities.ts";
import type { EnquiryKind } from "#worker/enquiries/contract.ts";
import { notAnswerable } from "#worker/enquiries/owner/summary.ts";
import { EnquiryAnswer, type EnquiryDetails, type Recording } from "#worker/enquiries/owner/contract.ts";
import { readEnquiry, readEnquiryRow } from "#worker/enquiries/owner/queries.ts";
import { calendarEventOf, invitationTo } from "#worker/enquiries/owner/recording.ts";
import { enquiryMails } from "#worker/enquiries/table.ts";
import { composeMail, MAIL_TOPIC } from "#worker/mail/message.ts";
import { plainPart } from "#worker/mail/plain-part.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { writeAndRead } from "#worker/platform/data/write-and-read.ts";
import { enqueue, outboxRowIf } from "#worker/platform/work/outbox.ts";
import { enforceLimits } from "#worker/platform/http/rate.ts";
import { readSender } from "#worker/settings/queries.ts";

/** Emails per user and hour. */
const MOST = 200;
/** Milliseconds within which a repeated email is ignored, such as a second press on a slow connection. */
const SAME_MS = 10 * 60_000;

/**
 * Sends an email to the sender of an enquiry. For an application it may invite to a recording. A repeated email within ten
 * minutes is ignored.
 * @throws `unauthenticated`, `forbidden`; `invalid`, also for a recording in the past or of another kind; `not_found`;
 * `conflict` for spam and for an address that was not confirmed; `too_many`
 */
export async function sendEnquiryMail<K extends EnquiryKind>(
  ctx: Context,
  kind: K,
  id: number,
  input: EnquiryAnswer,
): Promise<EnquiryDetails<K>> {
  requireCapability("audience", ctx);
  const { subject, message, recording } = parseInput(EnquiryAnswer, input);
  if (recording) requireSensible(ctx, kind, recording);
  const row = await readEnquiryRow(ctx, kind, id);
  const inTheWay = notAnswerable(row.box);
  if (inTheWay) throw inTheWay;
  const { id: userId, fullName: sentBy } = requireUser(ctx);
  await enforceLimits(ctx, [{ subject: `enquiry-mail:user:${userId}`, most: MOST }]);
  const { sender, siteName } = await readSender(ctx);
  const body = message.replaceAll("\r\n", "\n");
  const event = recording && calendarEventOf(ctx, row, sender);
  const mail = composeMail(ctx, {
    ...sender,
    to: row.email,
    subject,
    parts: [plainPart(body)],
    ...(event && { invitation: await invitationTo(ctx, { row, recording, event, siteName }) }),
  });
  const isNew = sql`not exists ${sameMail(ctx, { enquiryId: id, subject, body, recording })}`;
  const outgoing = outboxRowIf(ctx, MAIL_TOPIC, mail, isNew);
  const kept = ctx.db.insert(enquiryMails).select(
    sql`select null, ${id}, ${subject}, ${body}, ${sentBy}, ${ctx.now.getTime()}, ${outgoing.id},
      ${recording?.at ?? null}, ${recording?.minutes ?? null}, ${recording?.place ?? null}, 0,
      ${event && JSON.stringify(event)}
      where ${isNew}`,
  );
  // The outbox row first: once the email is stored, its condition "new" is false.
  const [, enquiry] = await writeAndRead(
    ctx,
    (db) => db.batch([outgoing.statement, kept]),
    (one) => readEnquiry(one, kind, id),
  );
  enqueue(ctx, outgoing.id);
  return enquiry;
}

function requireSensible({ now }: Context, kind: EnquiryKind, { at }: Recording) {
  if (kind !== "application") {
    throw new AppError("invalid", "Only guest applicants can be invited to a recording.", {
      field: "recording",
    });
  }
  if (at <= now.getTime()) {
    throw new AppError("invalid", "Choose a time in the future.", { field: "recording.at" });
  }
}

type Sent = Pick<typeof enquiryMails.$inferSelect, "enquiryId" | "subject" | "body"> & {
  recording: Recording | null;
};

const sameMail = ({ db, now }: Context, { enquiryId, subject, body, recording }: Sent) =>
  db
    .select({ id: enquiryMails.id })
    .from(enquiryMails)
    .where(
      and(
        eq(enquiryMails.enquiryId, enquiryId),
        eq(enquiryMails.subject, subject),
        eq(enquiryMails.body, body),
        isAfterCancellation(enquiryId),
        sql`${enquiryMails.recordingAt} is ${recording?.at ?? null}`,
        sql`${enquiryMails.recordingMinutes} is ${recording?.minutes ?? null}`,
        sql`${enquiryMails.recordingPlace} is ${recording?.place ?? null}`,
        gte(enquiryMails.sentAt, new Date(now.getTime() - SAME_MS)),
      ),
    );

/** An invitation after a cancellation is new even with the same words. */
const isAfterCancellation = (enquiryId: number) => sql`${enquiryMails.id} > coalesce((
  select max(id) from ${enquiryMails} as earlier where enquiry_id = ${enquiryId} and is_cancellation = 1), 0)`;
