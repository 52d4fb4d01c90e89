import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** How far the stored HTML of each noun is rendered by the current version of the renderer. */
export const renderPasses = sqliteTable("render_passes", {
  noun: text("noun").primaryKey(),
  /** `RENDERER_VERSION` of the pass. */
  version: integer("version").notNull(),
  /** The id of the last item that was rendered; null once all are. */
  after: integer("after"),
});
