import { sql } from "drizzle-orm";
import { index, integer, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { engagementStatuses } from "#worker/speaking/contract.ts";

/** The sort date of an undated engagement: later than any other, in milliseconds. */
export const UNDATED = 999_999_999_999_999;

/**
 * SQL: the same text in the index and in the query, so that SQLite uses the index. Without a comma, at which
 * drizzle-kit would split it.
 */
export const listedAt = sql.raw(`case when "date" is null then ${UNDATED} else "date" end`);

export const engagements = sqliteTable(
  "engagements",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    title: text("title").notNull(),
    description: text("description").notNull(),
    /** Its day, at midnight UTC; null while undecided. */
    date: integer("date", { mode: "timestamp_ms" }),
    venue: text("venue").notNull(),
    location: text("location").notNull(),
    audienceSize: integer("audience_size"),
    status: text("status", { enum: engagementStatuses }).notNull(),
    // Confidential: never on public pages, and in the admin area only for users who may see personal data.
    contactEmail: text("contact_email").notNull(),
    contactPhone: text("contact_phone").notNull(),
    fee: real("fee"),
    notes: text("notes").notNull(),
    /** The booking that it was created from; at most one engagement per booking. */
    bookingId: integer("booking_id"),
    /** The user and the key of the form that created it: a repeated request creates no second engagement. */
    draftKey: text("draft_key"),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [
    index("engagements_shown").on(table.status, table.date, table.id),
    index("engagements_listed").on(listedAt, table.id),
    uniqueIndex("engagements_booking").on(table.bookingId),
    uniqueIndex("engagements_draft_key").on(table.draftKey),
  ],
);
