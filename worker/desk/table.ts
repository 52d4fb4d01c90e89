import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What the owner ticked of the first steps. */
export const deskTicks = sqliteTable("desk_ticks", {
  name: text("name").primaryKey(),
  createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
});
