import { and, eq, sql } from "drizzle-orm";
import { COUNTED_OF_VISITORS } from "#worker/desk/contract.ts";
import type { EnquiryBox, EnquiryKind } from "#worker/enquiries/contract.ts";
import { cancelRecordings } from "#worker/enquiries/owner/recording.ts";
import { enquiries, enquiryMails } from "#worker/enquiries/table.ts";
import { noun } from "#worker/nouns/noun.ts";
import { holdingOf, inWriting } from "#worker/people/held.ts";

/** SQL: the answers to an enquiry, as JSON, oldest first. */
const answersOf = sql<string>`(select json_group_array(json_object(
    'subject', mail.subject, 'body', mail.body, 'sentBy', mail.sent_by, 'sentAt', mail.sent_at,
    'recordingAt', mail.recording_at, 'recordingMinutes', mail.recording_minutes, 'recordingPlace', mail.recording_place, 'recordingCancelled', iif(mail.is_cancellation, 'yes', null)
  ) order by mail.id) from ${enquiryMails} as mail where mail.enquiry_id = ${enquiries}.id)`;

type Answer = Record<string, string | number | null> & { sentAt: number; recordingAt: number | null };

/** The same with times as ISO 8601, and without null fields. */
const toAnswers = (json: string) =>
  (JSON.parse(json) as Answer[]).map((answer) => {
    const { sentAt, recordingAt } = answer;
    const times = {
      sentAt: isoTime(sentAt),
      recordingAt: recordingAt === null ? null : isoTime(recordingAt),
    };
    return Object.fromEntries(Object.entries({ ...answer, ...times }).filter(([, fact]) => fact !== null));
  });

const isoTime = (milliseconds: number) => new Date(milliseconds).toISOString();

/** A person's enquiries of a kind, with the owner's notes and answers. */
const heldEnquiries = (kind: EnquiryKind) =>
  holdingOf({
    table: enquiries,
    key: enquiries.id,
    isAbout: (email) => and(eq(enquiries.kind, kind), eq(enquiries.email, email))!,
    select: ({ db }) => db.select({ row: enquiries, answers: answersOf }).from(enquiries),
    toHeld: ({
      row: { id, title, fields, kind: _kind, box: _box, digest: _digest, name, email, ...row },
      answers,
    }) => ({
      key: id,
      at: row.createdAt.getTime(),
      title,
      data: { ...inWriting({ name, email, ...fields, ...row }), answers: toAnswers(answers) },
    }),
  });

/** SQL: how many enquiries of a kind are in a box, up to a limit. */
const countEnquiries = (kind: EnquiryKind, box: EnquiryBox) =>
  sql`(select count(*) from (
    select 1 from ${enquiries} where ${enquiries.kind} = ${kind} and ${enquiries.box} = ${box} limit ${COUNTED_OF_VISITORS}))`;

/** Applications, messages and requests for a booking. */
export const enquiryNoun = noun({
  table: enquiries,
  exported: {
    list: "enquiries.json",
    omit: ["digest", "box"],
    select: { answers: answersOf },
    long: ["fields", "notes", answersOf],
    item: (row) => ({ ...row, answers: toAnswers(String(row.answers)) }),
  },
  held: {
    applications: heldEnquiries("application"),
    messages: heldEnquiries("message"),
    bookings: heldEnquiries("booking"),
  },
  /** With the answers. A last email cancels a recording to which the person is invited. */
  async forget(ctx, email) {
    const isTheirs = eq(enquiries.email, email);
    const { statements, enqueue } = await cancelRecordings(ctx, isTheirs, { isForgotten: true });
    return { statements: [...statements, ctx.db.delete(enquiries).where(isTheirs)], enqueue };
  },
  desk: () => ({
    applications: countEnquiries("application", "pending"),
    messages: countEnquiries("message", "new"),
    bookings: countEnquiries("booking", "new"),
  }),
});
