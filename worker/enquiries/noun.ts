import { and, eq, sql } from "drizzle-orm";
import { COUNTED_OF_VISITORS } from "#worker/desk/contract.ts";
import { answersOf, toAnswers } from "#worker/enquiries/answers.ts";
import type { EnquiryBox, EnquiryKind } from "#worker/enquiries/contract.ts";
import { cancelRecordings } from "#worker/enquiries/owner/recording.ts";
import { enquiries } from "#worker/enquiries/table.ts";
import { noun } from "#worker/nouns/noun.ts";
import { holdingOf, inWriting } from "#worker/people/held.ts";

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
  /** With the answers. A last mail cancels a recording to which the person is invited. */
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
