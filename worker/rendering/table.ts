import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The progress of rendering each noun's stored HTML with the current renderer. */
export const renderPasses = sqliteTable("render_passes", {
  noun: text("noun").primaryKey(),
  /** `RENDERER_VERSION` of the pass. */
  version: integer("version").notNull(),
  /** The id of the last rendered item; null once all are done. */
  after: integer("after"),
});
