import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { binnedTable } from "#worker/bin/table.ts";
import { commentedKinds, commentStatuses } from "#worker/comments/contract.ts";

export const comments = sqliteTable(
  "comments",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    contentType: text("content_type", { enum: commentedKinds }).notNull(),
    /** The id of the article or episode. */
    contentId: integer("content_id").notNull(),
    /** The first comment of the thread, if this one is a reply. It may be deleted. */
    parentId: integer("parent_id"),
    name: text("name").notNull(),
    /** Lowercased; never public. Empty for the owner's answers. */
    email: text("email").notNull(),
    text: text("text").notNull(),
    status: text("status", { enum: commentStatuses }).notNull(),
    /** Why it was classified as spam; empty if a person decided. */
    spamReason: text("spam_reason").notNull().default(""),
    /** Written in the admin area and shown as the author's. */
    isOwner: integer("is_owner", { mode: "boolean" }).notNull().default(false),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
    /** Random; identifies the comment in its mailed link. Null for the owner's answers, which have no link. */
    key: text("key"),
    /** The thread id: a comment and its replies have the same. */
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

/** The comments on articles and episodes in the bin. */
export const binnedComments = binnedTable(comments, ["email"]);

/** The number of shown comments per article and episode. Triggers on `comments` maintain it. */
export const commentCounts = sqliteTable(
  "comment_counts",
  {
    contentType: text("content_type", { enum: commentedKinds }).notNull(),
    contentId: integer("content_id").notNull(),
    count: integer("count").notNull(),
  },
  (table) => [primaryKey({ columns: [table.contentType, table.contentId] })],
);

/** The number of comments per status, also maintained by triggers. */
export const commentBoxCounts = sqliteTable("comment_box_counts", {
  status: text("status", { enum: commentStatuses }).primaryKey(),
  count: integer("count").notNull(),
});
