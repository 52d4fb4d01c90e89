import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { binnedTable } from "#worker/bin/table.ts";
import { pressTypes } from "#worker/press/contract.ts";

/** Media coverage and press releases. */
export const pressItems = sqliteTable(
  "press_items",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    type: text("type", { enum: pressTypes }).notNull(),
    title: text("title").notNull(),
    summary: text("summary").notNull(),
    outlet: text("outlet").notNull(),
    /** Its day, at midnight UTC. */
    date: integer("date", { mode: "timestamp_ms" }).notNull(),
    /** Article, interview, radio … as the owner calls it. */
    mediaType: text("media_type").notNull(),
    link: text("link"),
    published: integer("published", { mode: "boolean" }).notNull(),
    /** The user and the key of the form that created it: a repeated request creates no second item. */
    draftKey: text("draft_key"),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
    /** The files that the content shows or links to, by id. */
    embeddedFileIds: text("embedded_file_ids", { mode: "json" }).$type<string[]>().notNull(),
    /** Markdown, and the same as safe HTML. */
    content: text("content").notNull(),
    contentHtml: text("content_html").notNull(),
    /** The content as plain text, for search. */
    contentText: text("content_text").notNull().default(""),
  },
  (table) => [
    uniqueIndex("press_items_draft_key").on(table.draftKey),
    index("press_items_shown").on(table.type, table.published, table.date, table.id),
  ],
);

export const binnedPressItems = binnedTable(pressItems);
