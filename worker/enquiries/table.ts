import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { binnedTable } from "#worker/bin/table.ts";
import {
  enquiryBoxes,
  enquiryKinds,
  enquiryStatuses,
  type EnquiryFields,
} from "#worker/enquiries/contract.ts";

/** SQL: neither spam nor unconfirmed. The same text in the index and in the query, so that SQLite uses the index. */
export const LISTED = sql.raw("is_spam = 0 and confirmed_at is not null");

/** Personal data: read and written only by those who may see the audience. */
export const enquiries = sqliteTable(
  "enquiries",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    kind: text("kind", { enum: enquiryKinds }).notNull(),
    status: text("status", { enum: enquiryStatuses }).notNull(),
    name: text("name").notNull(),
    /** Lowercased. */
    email: text("email").notNull(),
    /** The topic, subject or event, which lists show. */
    title: text("title").notNull(),
    /** The rest of the form, by kind. */
    fields: text("fields", { mode: "json" }).$type<EnquiryFields[keyof EnquiryFields]>().notNull(),
    /** SHA-256 of the enquiry: a repeated one within ten minutes is ignored. */
    digest: text("digest").notNull(),
    /** Null until the mailed link is used, if the form could not be checked for robots. */
    confirmedAt: integer("confirmed_at", { mode: "timestamp_ms" }),
    isSpam: integer("is_spam", { mode: "boolean" }).notNull().default(false),
    /** Why it was classified as spam, also after its sender confirmed it; empty if a person decided. */
    spamReason: text("spam_reason").notNull().default(""),
    /** The owner's notes. */
    notes: text("notes").notNull().default(""),
    /** When the notes were last saved, to detect concurrent edits. */
    notesAt: integer("notes_at", { mode: "timestamp_ms" }),
    /** The engagement that a booking became. */
    engagementId: integer("engagement_id"),
    /** The latest episode that has the applicant as a guest. */
    episodeId: integer("episode_id"),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
    box: text("box", { enum: enquiryBoxes }).generatedAlwaysAs(
      sql`case when confirmed_at is null then 'unconfirmed' when is_spam then 'spam' else status end`,
      { mode: "virtual" },
    ),
  },
  (table) => [
    index("enquiries_by_box").on(table.kind, table.box, table.id),
    index("enquiries_by_kind").on(table.kind, table.id),
    // For the list without a box: neither spam nor unconfirmed.
    index("enquiries_listed").on(table.kind, table.id).where(LISTED),
    index("enquiries_by_email").on(table.email),
    index("enquiries_by_digest").on(table.digest),
    index("enquiries_by_age").on(table.createdAt),
  ],
);

/** A calendar accepts a cancellation only with the invitation's UID and organiser. */
export type CalendarEvent = { uid: string; organizer: { address: string; name?: string } };

/** The owner's emails to the sender of an enquiry, invitations and cancellations included. */
export const enquiryMails = sqliteTable(
  "enquiry_mails",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    enquiryId: integer("enquiry_id")
      .notNull()
      .references(() => enquiries.id, { onDelete: "cascade" }),
    subject: text("subject").notNull(),
    body: text("body").notNull(),
    /** The name of the user who sent it. */
    sentBy: text("sent_by").notNull(),
    sentAt: integer("sent_at", { mode: "timestamp_ms" }).notNull(),
    /** Its row in the outbox, which is deleted after a month. */
    outboxId: text("outbox_id").notNull(),
    /** The start of the recording; null for an email without an invitation. */
    recordingAt: integer("recording_at", { mode: "timestamp_ms" }),
    recordingMinutes: integer("recording_minutes"),
    recordingPlace: text("recording_place"),
    /** It cancels that recording. */
    isCancellation: integer("is_cancellation", { mode: "boolean" }).notNull().default(false),
    /** The recording's identity in the guest's calendar; null for an email without an invitation, and for older emails. */
    calendarEvent: text("calendar_event", { mode: "json" }).$type<CalendarEvent>(),
  },
  (table) => [index("enquiry_mails_by_enquiry").on(table.enquiryId, table.id)],
);

/** The number of enquiries in each box, maintained by triggers: counting would read an index entry per enquiry. */
export const enquiryCounts = sqliteTable(
  "enquiry_counts",
  {
    kind: text("kind", { enum: enquiryKinds }).notNull(),
    box: text("box", { enum: enquiryBoxes }).notNull(),
    count: integer("count").notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.box] })],
);

/** Enquiries in the bin, and the answers to them. */
export const binnedEnquiries = binnedTable(enquiries, ["email"]);
export const binnedEnquiryMails = binnedTable(enquiryMails);
