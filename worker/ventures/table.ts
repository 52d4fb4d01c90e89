import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ventureIcons } from "#worker/ventures/contract.ts";

export const ventures = sqliteTable(
  "ventures",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    name: text("name").notNull(),
    description: text("description").notNull(),
    url: text("url"),
    imageFileId: text("image_file_id"),
    icon: text("icon", { enum: ventureIcons }).notNull(),
    active: integer("active", { mode: "boolean" }).notNull(),
    sortOrder: integer("sort_order").notNull(),
    /** The user and the key of the form that created it: a repeated request creates no second venture. */
    draftKey: text("draft_key"),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [
    uniqueIndex("ventures_draft_key").on(table.draftKey),
    index("ventures_shown").on(table.active, table.sortOrder, table.id),
  ],
);
