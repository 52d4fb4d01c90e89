import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { engagementStatuses } from "#worker/speaking/contract.ts";

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
    // Private to the owner; never shown on public pages.
    contactEmail: text("contact_email").notNull(),
    contactPhone: text("contact_phone").notNull(),
    fee: real("fee"),
    notes: text("notes").notNull(),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [index("engagements_shown").on(table.status, table.date, table.id)],
);
