import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The first steps that the owner has ticked. */
export const deskTicks = sqliteTable("desk_ticks", {
  name: text("name").primaryKey(),
  createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
});
