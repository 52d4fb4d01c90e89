import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { commentedKinds, commentStatuses } from "#worker/comments/contract.ts";

export const comments = sqliteTable(
  "comments",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    contentType: text("content_type", { enum: commentedKinds }).notNull(),
    /** The id of the article or episode. */
    contentId: integer("content_id").notNull(),
    /** The comment that this one answers, which itself answered none. It may be deleted. */
    parentId: integer("parent_id"),
    name: text("name").notNull(),
    /** Lowercased; never public. Empty for the owner's answers. */
    email: text("email").notNull(),
    text: text("text").notNull(),
    status: text("status", { enum: commentStatuses }).notNull(),
    /** Why it was taken for spam; empty where a person said so. */
    spamReason: text("spam_reason").notNull().default(""),
    /** Written in the admin area, and shown as the author's. */
    isOwner: integer("is_owner", { mode: "boolean" }).notNull().default(false),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
    /** Random; what the link in the mail names it by. Null for the owner's answers, which have none. */
    key: text("key"),
    /** Those with one number are a comment and its answers. */
    thread: integer("thread").generatedAlwaysAs(sql`coalesce(parent_id, id)`, { mode: "virtual" }),
  },
  (table) => [
    index("comments_shown").on(table.contentType, table.contentId, table.status, table.thread, table.id),
    index("comments_by_status").on(table.status, table.id),
    index("comments_by_email").on(table.email),
    index("comments_by_age").on(table.createdAt),
    uniqueIndex("comments_key").on(table.key),
  ],
);

/** How many comments are shown of each article and episode. Triggers count, whoever writes to `comments`. */
export const commentCounts = sqliteTable(
  "comment_counts",
  {
    contentType: text("content_type", { enum: commentedKinds }).notNull(),
    contentId: integer("content_id").notNull(),
    count: integer("count").notNull(),
  },
  (table) => [primaryKey({ columns: [table.contentType, table.contentId] })],
);

/** How many comments there are of each status. Counted as those. */
export const commentBoxCounts = sqliteTable("comment_box_counts", {
  status: text("status", { enum: commentStatuses }).primaryKey(),
  count: integer("count").notNull(),
});
