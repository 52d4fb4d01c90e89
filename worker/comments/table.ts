import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { commentedKinds, commentStatuses } from "#worker/comments/contract.ts";

export const comments = sqliteTable(
  "comments",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    contentType: text("content_type", { enum: commentedKinds }).notNull(),
    /** The id of the article or episode. */
    contentId: integer("content_id").notNull(),
    /** The comment that this one answers, which itself answers none. */
    parentId: integer("parent_id"),
    name: text("name").notNull(),
    /** Lowercased; never public. */
    email: text("email").notNull(),
    text: text("text").notNull(),
    status: text("status", { enum: commentStatuses }).notNull(),
    /** Why it was taken for spam; empty where a person said so. */
    spamReason: text("spam_reason").notNull().default(""),
    /** Written in the admin area, and shown as the author's. */
    isOwner: integer("is_owner", { mode: "boolean" }).notNull().default(false),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [
    index("comments_shown").on(table.contentType, table.contentId, table.status, table.parentId, table.id),
    index("comments_by_status").on(table.status, table.id),
    index("comments_by_email").on(table.email),
    index("comments_by_age").on(table.createdAt),
  ],
);
