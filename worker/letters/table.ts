import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { binnedTable } from "#worker/bin/table.ts";
import type { Question, Segment } from "#worker/letters/contract.ts";
import type { MailBody } from "#worker/mail/message.ts";
import { subscribers } from "#worker/newsletter/table.ts";

export const letters = sqliteTable(
  "letters",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    subject: text("subject").notNull(),
    /** The text that mailboxes show after the subject. */
    preheader: text("preheader").notNull(),
    /** Sending and paused: its recipients are frozen. Sent and cancelled are final. */
    status: text("status", {
      enum: ["draft", "scheduled", "sending", "paused", "sent", "cancelled"],
    }).notNull(),
    /** Who gets it. */
    segment: text("segment", { mode: "json" }).$type<Segment>().notNull(),
    scheduledFor: integer("scheduled_for", { mode: "timestamp_ms" }),
    startedAt: integer("started_at", { mode: "timestamp_ms" }),
    finishedAt: integer("finished_at", { mode: "timestamp_ms" }),
    /** Why the sending paused automatically. */
    pausedReason: text("paused_reason"),
    /** Whether it is in the public archive once it is sent, where the site has one. */
    isPublic: integer("is_public", { mode: "boolean" }).notNull(),
    /** The article or episode that it was made from. */
    originKind: text("origin_kind", { enum: ["article", "episode"] }),
    originId: integer("origin_id"),
    /** The automatic letter that made it, which may be deleted. */
    automaticLetterId: integer("automatic_letter_id"),
    /** When answers to its question end, once its sending has started; null without a question. */
    questionClosesAt: integer("question_closes_at", { mode: "timestamp_ms" }),
    // Counts of its deliveries, so that the progress reads no hundred thousand rows.
    recipients: integer("recipients").notNull().default(0),
    sent: integer("sent").notNull().default(0),
    failed: integer("failed").notNull().default(0),
    skipped: integer("skipped").notNull().default(0),
    uncertain: integer("uncertain").notNull().default(0),
    bounced: integer("bounced").notNull().default(0),
    complained: integer("complained").notNull().default(0),
    unsubscribed: integer("unsubscribed").notNull().default(0),
    /** The user and the key of the form that created it: a repeated request creates no second letter. */
    draftKey: text("draft_key"),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
    /** The files that the content shows or links to, by id. */
    embeddedFileIds: text("embedded_file_ids", { mode: "json" }).$type<string[]>().notNull(),
    /** Its one-click question; null for none. */
    question: text("question", { mode: "json" }).$type<Question>(),
    // Long texts are last: SQLite reads a row from its beginning.
    /** Markdown. */
    content: text("content").notNull(),
    /** The content as sanitised HTML, rendered on save; the archive shows it. */
    contentHtml: text("content_html").notNull(),
    /** The shared part of its emails, rendered when the sending starts. */
    mail: text("mail", { mode: "json" }).$type<MailBody>(),
  },
  (table) => [
    uniqueIndex("letters_draft_key").on(table.draftKey),
    index("letters_by_status").on(table.status, table.scheduledFor),
    index("letters_by_question_end")
      .on(table.questionClosesAt)
      .where(sql`question_closes_at is not null`),
    index("letters_by_origin")
      .on(table.originKind, table.originId)
      .where(sql`origin_kind is not null`),
    index("letters_public")
      .on(table.startedAt)
      .where(sql`is_public = 1 and started_at is not null`),
  ],
);

/** One letter to one subscriber. It survives an unsubscription; a deleted subscriber becomes null. */
export const deliveries = sqliteTable(
  "letter_deliveries",
  {
    id: integer("id").primaryKey(),
    letterId: integer("letter_id")
      .notNull()
      .references(() => letters.id, { onDelete: "cascade" }),
    subscriberId: text("subscriber_id").references(() => subscribers.id, { onDelete: "set null" }),
    /**
     * Sending: claimed, and perhaps submitted. Uncertain: submitted, but the answer was lost. Skipped: the subscriber
     * had left before the submission, or the letter was cancelled.
     */
    status: text("status", {
      enum: ["queued", "sending", "sent", "failed", "skipped", "uncertain"],
    }).notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** If queued, the earliest attempt; if sending, the end of the claim. */
    notBefore: integer("not_before", { mode: "timestamp_ms" }).notNull(),
    /** The id of a batch of claimed rows; for an idempotent provider, its idempotency key. */
    claim: text("claim"),
    /** In the words of the provider. */
    answer: text("answer"),
    /** The provider's message id, to which its reports refer. */
    providerId: text("provider_id"),
    /** Later feedback; the first stays. */
    feedback: text("feedback", { enum: ["bounced", "complained", "unsubscribed"] }),
    settledAt: integer("settled_at", { mode: "timestamp_ms" }),
    /**
     * The position of the answer that the subscriber chose, from 1. Only while the question is open: it is what a later answer
     * replaces. `letter_answers` has the counts.
     */
    choice: integer("choice"),
  },
  (table) => [
    // Subscriber first, so that deleting one finds their deliveries.
    uniqueIndex("letter_deliveries_once").on(table.subscriberId, table.letterId),
    index("letter_deliveries_by_status").on(table.letterId, table.status, table.notBefore),
    index("letter_deliveries_feedback")
      .on(table.letterId, table.feedback, table.id)
      .where(sql`feedback is not null`),
    index("letter_deliveries_chosen")
      .on(table.letterId)
      .where(sql`choice is not null`),
    index("letter_deliveries_by_provider")
      .on(table.providerId)
      .where(sql`provider_id is not null`),
  ],
);

/** The targets of a letter's counted links. */
export const letterLinks = sqliteTable(
  "letter_links",
  {
    letterId: integer("letter_id")
      .notNull()
      .references(() => letters.id, { onDelete: "cascade" }),
    /** From 1, in the order of the text. */
    position: integer("position").notNull(),
    url: text("url").notNull(),
    presses: integer("presses").notNull().default(0),
    /** Random, the same for all links of a letter; null for letters that were sent before the address had one. */
    mark: text("mark"),
  },
  (table) => [primaryKey({ columns: [table.letterId, table.position] })],
);

/** How often each answer to a letter's question was chosen; written when its sending starts. */
export const letterAnswers = sqliteTable(
  "letter_answers",
  {
    letterId: integer("letter_id")
      .notNull()
      .references(() => letters.id, { onDelete: "cascade" }),
    /** From 1, in the order of the question. */
    position: integer("position").notNull(),
    votes: integer("votes").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.letterId, table.position] })],
);

/** Letters sent per day, for the provider's daily limit. */
export const sendingDays = sqliteTable("sending_days", {
  /** yyyy-mm-dd, UTC. */
  day: text("day").primaryKey(),
  letters: integer("letters").notNull(),
});

/** Letters in the bin: they were never sent, so they have neither deliveries nor counted links. */
export const binnedLetters = binnedTable(letters);
