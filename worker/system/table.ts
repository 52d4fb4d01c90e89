import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The last run of each cron. */
export const cronRuns = sqliteTable("cron_runs", {
  /** Such as `* * * * *`. */
  cron: text("cron").primaryKey(),
  at: integer("at", { mode: "timestamp_ms" }).notNull(),
});
