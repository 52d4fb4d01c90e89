import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { futureMembers, subscriberStates } from "#worker/newsletter/contract.ts";

export const subscribers = sqliteTable(
  "subscribers",
  {
    id: text("id").primaryKey(),
    /** Lowercased. */
    email: text("email").notNull(),
    status: text("status", { enum: ["active", "unsubscribed", "bounced", "complained"] }).notNull(),
    /** Which form it came from: footer, inline, popup, conversations … */
    source: text("source").notNull(),
    /** When and with which words consent was given; part of the export. */
    subscribedAt: integer("subscribed_at", { mode: "timestamp_ms" }).notNull(),
    consent: text("consent").notNull(),
    /** Double opt-in: null until the link in the email was used. */
    verifiedAt: integer("verified_at", { mode: "timestamp_ms" }),
    unsubscribedAt: integer("unsubscribed_at", { mode: "timestamp_ms" }),
    /** The subscriber paused letters until then. */
    pausedUntil: integer("paused_until", { mode: "timestamp_ms" }),
    /** Soft bounces in a row, such as a full mailbox. */
    softBounces: integer("soft_bounces").notNull().default(0),
    /** When the address bounced for good or the subscriber complained of spam, and the provider's reason. */
    blockedAt: integer("blocked_at", { mode: "timestamp_ms" }),
    blockedReason: text("blocked_reason"),
    /** Random; replaced with every change by a signed link, so that each link works once. */
    stamp: text("stamp").notNull(),
    /** How they paid at the service from which they were imported. */
    futureMember: text("future_member", { enum: futureMembers }),
    /** The topics that they chose to get letters on, by id; null for every letter (worker/topics/choices.ts). */
    topicIds: text("topic_ids", { mode: "json" }).$type<number[]>(),
    /** The status, with active split into pending and confirmed; lists and counts use its index. */
    state: text("state", { enum: subscriberStates }).generatedAlwaysAs(
      sql`case when status <> 'active' then status when verified_at is null then 'pending' else 'confirmed' end`,
      { mode: "virtual" },
    ),
  },
  (table) => [
    uniqueIndex("subscribers_email").on(table.email),
    // Rows with the same time, as in imports, are ordered by rowid, which every index has.
    index("subscribers_newest").on(table.subscribedAt),
    index("subscribers_by_state").on(table.state, table.subscribedAt),
    index("subscribers_by_source_and_state").on(table.source, table.state, table.subscribedAt),
    index("subscribers_paused")
      .on(table.state, table.subscribedAt)
      .where(sql`paused_until is not null`),
    index("subscribers_future_members")
      .on(table.subscribedAt)
      .where(sql`future_member is not null`),
    index("subscribers_with_topics")
      .on(table.state)
      .where(sql`topic_ids is not null`),
    index("subscribers_by_status").on(table.status, table.subscribedAt),
    index("subscribers_by_source").on(table.source, table.subscribedAt),
  ],
);
