import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** What letters are about: subscribers choose the topics that they get letters on. */
export const topics = sqliteTable(
  "topics",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    name: text("name").notNull(),
    description: text("description").notNull(),
    /** Whether subscribers may choose it. */
    isOffered: integer("is_offered", { mode: "boolean" }).notNull(),
    sortOrder: integer("sort_order").notNull(),
    /** The user and the key of the form that created it: a repeated request creates no second topic. */
    draftKey: text("draft_key"),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [uniqueIndex("topics_name").on(table.name), uniqueIndex("topics_draft_key").on(table.draftKey)],
);
