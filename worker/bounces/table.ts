import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Processed reports, so that none counts twice. Deleted once they are too old to be accepted. */
export const mailEvents = sqliteTable("mail_events", {
  /** The provider's own id of the report. */
  id: text("id").primaryKey(),
  receivedAt: integer("received_at", { mode: "timestamp_ms" }).notNull(),
});
