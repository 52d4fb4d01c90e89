import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { platforms } from "#worker/social/contract.ts";

/** Posts from elsewhere that the owner shows on the site. */
export const socialPosts = sqliteTable(
  "social_posts",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    platform: text("platform", { enum: platforms }).notNull(),
    author: text("author").notNull(),
    content: text("content").notNull(),
    date: integer("date", { mode: "timestamp_ms" }).notNull(),
    likes: integer("likes").notNull(),
    comments: integer("comments").notNull(),
    shares: integer("shares").notNull(),
    url: text("url"),
    /** The user and the key of the form that created it: a repeated request creates no second post. */
    draftKey: text("draft_key"),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [
    uniqueIndex("social_posts_draft_key").on(table.draftKey),
    index("social_posts_newest").on(table.date, table.id),
  ],
);
