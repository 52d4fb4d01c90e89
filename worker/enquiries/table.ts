import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import {
  enquiryBoxes,
  enquiryKinds,
  enquiryStatuses,
  type EnquiryFields,
} from "#worker/enquiries/contract.ts";

/** SQL, the same in the index and in the query that is to use it: neither spam nor unconfirmed. */
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
    /** SHA-256 of all that was sent: the same within ten minutes is one. */
    digest: text("digest").notNull(),
    /** Null until the link in a mail was used, where the form could not be checked otherwise. */
    confirmedAt: integer("confirmed_at", { mode: "timestamp_ms" }),
    isSpam: integer("is_spam", { mode: "boolean" }).notNull().default(false),
    /** Why it was taken for spam, also after its sender confirmed it; empty where a person said so. */
    spamReason: text("spam_reason").notNull().default(""),
    /** The owner's. */
    notes: text("notes").notNull().default(""),
    /** When the notes were last saved, by which two who write them learn of each other. */
    notesAt: integer("notes_at", { mode: "timestamp_ms" }),
    /** The engagement that a booking became. */
    engagementId: integer("engagement_id"),
    /** The episode whose guest an applicant became last. */
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
    // All that is neither spam nor unconfirmed, which may be the most.
    index("enquiries_listed").on(table.kind, table.id).where(LISTED),
    index("enquiries_by_email").on(table.email),
    index("enquiries_by_digest").on(table.digest),
    index("enquiries_by_age").on(table.createdAt),
  ],
);

/** A calendar takes a cancellation only with the invitation's UID, from its organiser. */
export type CalendarEvent = { uid: string; organizer: { address: string; name?: string } };

/** What the owner wrote to the sender of an enquiry, an application's invitation and its cancellation included. */
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
    /** When the recording begins that the mail invites to; null for a mail without an invitation. */
    recordingAt: integer("recording_at", { mode: "timestamp_ms" }),
    recordingMinutes: integer("recording_minutes"),
    recordingPlace: text("recording_place"),
    /** It cancels that recording. */
    isCancellation: integer("is_cancellation", { mode: "boolean" }).notNull().default(false),
    /** What the guest's calendar knows the recording by; null for a mail without an invitation, and for older ones. */
    calendarEvent: text("calendar_event", { mode: "json" }).$type<CalendarEvent>(),
  },
  (table) => [index("enquiry_mails_by_enquiry").on(table.enquiryId, table.id)],
);

/** How many enquiries lie in each box. Triggers keep it: counting them would read an entry of an index for each. */
export const enquiryCounts = sqliteTable(
  "enquiry_counts",
  {
    kind: text("kind", { enum: enquiryKinds }).notNull(),
    box: text("box", { enum: enquiryBoxes }).notNull(),
    count: integer("count").notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.box] })],
);
