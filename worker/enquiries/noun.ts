import { and, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { readAs } from "#worker/bin/binned-columns.ts";
import { eraseEntries, noteErased } from "#worker/bin/note-erased.ts";
import { COUNTED_OF_VISITORS } from "#worker/desk/contract.ts";
import type { EnquiryBox, EnquiryKind } from "#worker/enquiries/contract.ts";
import { cancelRecordings } from "#worker/enquiries/owner/recording.ts";
import { binnedEnquiries, binnedEnquiryMails, enquiries, enquiryMails } from "#worker/enquiries/table.ts";
import { noun } from "#worker/nouns/noun.ts";
import { bothOf, holdingOf, inWriting } from "#worker/people/held.ts";

/** SQL: the answers to an enquiry, as JSON, oldest first. */
const answersIn = (mails: SQLiteTable, isOf: SQL) => sql<string>`(select json_group_array(json_object(
    'subject', mail.subject, 'body', mail.body, 'sentBy', mail.sent_by, 'sentAt', mail.sent_at,
    'recordingAt', mail.recording_at, 'recordingMinutes', mail.recording_minutes, 'recordingPlace', mail.recording_place, 'recordingCancelled', iif(mail.is_cancellation, 'yes', null)
  ) order by mail.id) from ${mails} as mail where ${isOf})`;
const answersOf = answersIn(enquiryMails, sql`mail.enquiry_id = ${enquiries}.id`);
const answersInBin = answersIn(binnedEnquiryMails, sql`mail.bin_id = ${binnedEnquiries}.bin_id`);

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

type Enquiry = Omit<typeof enquiries.$inferSelect, "box">;

const toHeld = ({
  row: { id, title, fields, kind: _kind, digest: _digest, name, email, ...row },
  answers,
}: {
  row: Enquiry;
  answers: string;
}) => ({
  key: id,
  at: row.createdAt.getTime(),
  title,
  data: { ...inWriting({ name, email, ...fields, ...row }), answers: toAnswers(answers) },
});

const isTheirs = (email: string) => eq(enquiries.email, email);
const isTheirsInBin = (email: string) => eq(binnedEnquiries.email, email);

/** A person's enquiries of a kind, deleted ones included, with the owner's notes and answers. */
const heldEnquiries = (kind: EnquiryKind) => {
  const { box: _box, ...columns } = getTableColumns(enquiries);
  return bothOf(
    holdingOf({
      table: enquiries,
      key: enquiries.id,
      isAbout: (email) => and(eq(enquiries.kind, kind), isTheirs(email))!,
      select: ({ db }) => db.select({ row: columns, answers: answersOf }).from(enquiries),
      toHeld,
    }),
    holdingOf({
      table: binnedEnquiries,
      key: sql<number>`${binnedEnquiries}.id`,
      isAbout: (email) => sql`${binnedEnquiries}.kind = ${kind} and ${isTheirsInBin(email)}`,
      select: ({ db }) =>
        db
          .select({
            row: readAs(enquiries, binnedEnquiries) as typeof columns,
            answers: answersInBin,
          })
          .from(binnedEnquiries),
      toHeld,
    }),
  );
};

/** SQL: the ids of a person's enquiries, as `item`. */
const idsAbout = (
  email: string,
) => sql`select ${enquiries.id} as item from ${enquiries} where ${isTheirs(email)}
  union select ${binnedEnquiries}.id from ${binnedEnquiries} where ${isTheirsInBin(email)}`;

/** SQL: how many enquiries of a kind are in a box, up to a limit. */
const countEnquiries = (kind: EnquiryKind, box: EnquiryBox) =>
  sql`(select count(*) from (
    select 1 from ${enquiries} where ${enquiries.kind} = ${kind} and ${enquiries.box} = ${box} limit ${COUNTED_OF_VISITORS}))`;

/** Applications, messages and requests for a booking. */
export const enquiryNoun = noun({
  table: enquiries,
  title: "title",
  bin: {
    kind: "enquiry",
    parts: [
      {
        table: enquiries,
        binned: binnedEnquiries,
        of: (item) => sql`${enquiries.id} = cast(${item} as integer)`,
      },
      {
        table: enquiryMails,
        binned: binnedEnquiryMails,
        of: (item) => sql`${enquiryMails.enquiryId} = cast(${item} as integer)`,
      },
    ],
  },
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
    const { statements, enqueue } = await cancelRecordings(ctx, isTheirs(email), { isForgotten: true });
    return {
      statements: [
        ...statements,
        noteErased(ctx, "enquiries", idsAbout(email)),
        ctx.db.delete(enquiries).where(isTheirs(email)),
        eraseEntries(
          ctx,
          sql`select ${binnedEnquiries.binId} from ${binnedEnquiries} where ${isTheirsInBin(email)}`,
        ),
      ],
      enqueue,
    };
  },
  desk: () => ({
    applications: countEnquiries("application", "pending"),
    messages: countEnquiries("message", "new"),
    bookings: countEnquiries("booking", "new"),
  }),
});
