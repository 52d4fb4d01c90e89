import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

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
    /** Double opt-in: null until the link in the mail was used. */
    verifiedAt: integer("verified_at", { mode: "timestamp_ms" }),
    unsubscribedAt: integer("unsubscribed_at", { mode: "timestamp_ms" }),
    /** Letters wait until then, as the subscriber asked. */
    pausedUntil: integer("paused_until", { mode: "timestamp_ms" }),
    /** Letters in a row that came back for a reason that may pass, such as a full mailbox. */
    softBounces: integer("soft_bounces").notNull().default(0),
    /** When it bounced for good or complained of spam, and in which words. */
    blockedAt: integer("blocked_at", { mode: "timestamp_ms" }),
    blockedReason: text("blocked_reason"),
    /** Random; replaced by what a signed link changes, so that each link works once. */
    stamp: text("stamp").notNull(),
  },
  (table) => [
    uniqueIndex("subscribers_email").on(table.email),
    index("subscribers_newest").on(table.subscribedAt, table.id),
    index("subscribers_by_status").on(table.status, table.subscribedAt),
    index("subscribers_by_source").on(table.source, table.subscribedAt),
    index("subscribers_unconfirmed")
      .on(table.subscribedAt)
      .where(sql`verified_at is null and status = 'active'`),
  ],
);
