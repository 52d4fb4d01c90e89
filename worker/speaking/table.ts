import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { engagementStatuses } from "#worker/speaking/contract.ts";

export const engagements = sqliteTable(
  "engagements",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    title: text("title").notNull(),
    description: text("description").notNull(),
    /** The day it takes place, at midnight UTC; null while that is open. */
    date: integer("date", { mode: "timestamp_ms" }),
    venue: text("venue").notNull(),
    location: text("location").notNull(),
    audienceSize: integer("audience_size"),
    status: text("status", { enum: engagementStatuses }).notNull(),
    // The rest is the owner's own; the public page never shows it.
    contactEmail: text("contact_email").notNull(),
    contactPhone: text("contact_phone").notNull(),
    fee: real("fee"),
    notes: text("notes").notNull(),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [index("engagements_shown").on(table.status, table.date, table.id)],
);
