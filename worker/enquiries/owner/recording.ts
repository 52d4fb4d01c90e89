import { and, count, eq, isNotNull, sql, type SQL } from "drizzle-orm";
import { requireCapability, requireUser } from "#worker/access/capabilities.ts";
import type { EnquiryDetails, Recording } from "#worker/enquiries/owner/contract.ts";
import { isPlanned, latestInvitation } from "#worker/enquiries/owner/planned.ts";
import { readEnquiry } from "#worker/enquiries/owner/queries.ts";
import { enquiries, enquiryMails, type CalendarEvent } from "#worker/enquiries/table.ts";
import { composeMail, MAIL_TOPIC } from "#worker/mail/message.ts";
import { plainPart } from "#worker/mail/plain-part.ts";
import { writeAndRead } from "#worker/platform/data/write-and-read.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { enqueue, outboxRowIf } from "#worker/platform/work/outbox.ts";
import { readSite, senderOf } from "#worker/settings/queries.ts";

type Enquiry = typeof enquiries.$inferSelect;
type Sender = Pick<ReturnType<typeof senderOf>, "from" | "replyTo">;

/** The recording's identity in the guest's calendar. Calendars reply to the organiser. */
export const calendarEventOf = (
  { config }: Context,
  { id }: Pick<Enquiry, "id">,
  { from, replyTo }: Sender,
): CalendarEvent => ({
  uid: `application-${id}@${new URL(config.siteUrl).hostname}`,
  organizer: { ...from, ...replyTo },
});

type Invited = {
  row: Pick<Enquiry, "id" | "name" | "email" | "title">;
  recording: Recording;
  event: CalendarEvent;
  siteName: string;
  isCancellation?: boolean;
};

/** The calendar file that adds, moves or cancels a recording. */
export async function invitationTo(
  ctx: Context,
  { row, recording, event, siteName, isCancellation = false }: Invited,
) {
  // Imported on demand: most isolates send no invitation.
  const { invitationOf } = await import("#worker/enquiries/owner/invitation.ts");
  const { id, name, email, title } = row;
  return invitationOf({
    ...recording,
    ...event,
    sequence: await countInvitations(ctx, id),
    title: `Recording for ${siteName}: ${title}`,
    description: `A conversation with ${name} about “${title}”.`,
    guest: { address: email, name },
    now: ctx.now,
    isCancellation,
  });
}

/** The number of sent invitations and cancellations: calendars apply the one with the highest sequence. */
async function countInvitations({ db }: Context, enquiryId: number) {
  const [row] = await db
    .select({ count: count() })
    .from(enquiryMails)
    .where(and(eq(enquiryMails.enquiryId, enquiryId), isNotNull(enquiryMails.recordingAt)));
  return row!.count;
}

type Options = {
  /** SQL: a condition to check again at the write. */
  isDue?: SQL;
  /** Delete everything about the guest once the email has left. */
  isForgotten?: boolean;
};

/**
 * The statements that cancel the recordings of these applicants by email, and the function that enqueues the emails. Put
 * them before the cancelling write, which may delete the invitation. A recording that has begun needs no cancellation.
 */
export async function cancelRecordings(
  ctx: Context,
  which: SQL | undefined,
  { isDue = sql`true`, isForgotten = false }: Options = {},
) {
  const planned = await ctx.db
    .select({ row: enquiries, mail: enquiryMails })
    .from(enquiries)
    .innerJoin(enquiryMails, eq(enquiryMails.enquiryId, enquiries.id))
    .where(and(which, isPlanned(ctx)));
  if (planned.length === 0) return { statements: [], enqueue: () => undefined };
  const site = await readSite(ctx);
  const mails = planned.map(async ({ row, mail: invitation }) => {
    const { recordingAt, recordingMinutes, recordingPlace } = invitation;
    const sender = senderOf(ctx, site);
    const recording = { at: recordingAt!.getTime(), minutes: recordingMinutes!, place: recordingPlace! };
    const event = invitation.calendarEvent ?? calendarEventOf(ctx, row, sender);
    const subject = `Cancelled: recording for ${site.name}: ${row.title}`;
    const body = wordsOf(site, row, recording);
    const mail = composeMail(ctx, {
      ...sender,
      to: row.email,
      subject,
      parts: [plainPart(body)],
      invitation: await invitationTo(ctx, {
        row,
        recording,
        event,
        siteName: site.name,
        isCancellation: true,
      }),
    });
    const isStill = sql`${isDue} and ${latestInvitation(sql`${row.id}`)} = ${invitation.id}`;
    const outgoing = outboxRowIf(ctx, MAIL_TOPIC, { ...mail, ...(isForgotten && { isForgotten }) }, isStill);
    const kept = ctx.db.insert(enquiryMails).select(
      sql`select null, ${row.id}, ${subject}, ${body}, ${requireUser(ctx).fullName}, ${ctx.now.getTime()}, ${outgoing.id},
        ${recording.at}, ${recording.minutes}, ${recording.place}, 1, ${JSON.stringify(event)}
        where ${isStill}`,
    );
    // The outbox row first: once the cancellation is stored, the invitation is no longer the latest.
    return { id: outgoing.id, statements: [outgoing.statement, kept] };
  });
  const composed = await Promise.all(mails);
  return {
    statements: composed.flatMap(({ statements }) => statements),
    enqueue: () => enqueue(ctx, ...composed.map(({ id }) => id)),
  };
}

type Site = Awaited<ReturnType<typeof readSite>>;

function wordsOf({ name, language, timeZone }: Site, { title }: Pick<Enquiry, "title">, { at }: Recording) {
  const when = new Intl.DateTimeFormat(language, {
    timeZone,
    weekday: "long",
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
  });
  return `The recording for ${name} about “${title}” is cancelled:

${when.format(at)}

The attached file takes it out of your calendar.`;
}

/**
 * Cancels an applicant's recording by an email that removes it from their calendar. Idempotent.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` if no recording is planned
 */
export async function cancelRecording(ctx: Context, id: number): Promise<EnquiryDetails<"application">> {
  requireCapability("audience", ctx);
  const before = await readEnquiry(ctx, "application", id);
  const { statements, enqueue: send } = await cancelRecordings(ctx, eq(enquiries.id, id));
  const [first, ...others] = statements;
  if (!first) {
    if (before.mails.find(({ recordingAt }) => recordingAt !== null)?.isCancellation) return before;
    throw new AppError("conflict", "This applicant has no planned recording.");
  }
  const [, enquiry] = await writeAndRead(
    ctx,
    (db) => db.batch([first, ...others]),
    (one) => readEnquiry(one, "application", id),
  );
  send();
  return enquiry;
}
