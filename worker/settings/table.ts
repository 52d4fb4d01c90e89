import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Site } from "#worker/settings/contract.ts";

/** One row, id 1: the site's identity. */
export const settings = sqliteTable("settings", {
  id: integer("id").primaryKey(),
  site: text("site", { mode: "json" }).$type<Partial<Site>>().notNull(),
  /** When the demo was loaded; it is loaded only once. */
  demoLoadedAt: integer("demo_loaded_at", { mode: "timestamp_ms" }),
  updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
});
