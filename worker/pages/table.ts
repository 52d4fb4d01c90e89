import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The standing pages: about, mission, legal pages and so on. One without a row shows its default content. */
export const pages = sqliteTable("pages", {
  slug: text("slug").primaryKey(),
  /** The files that the content shows or links to, by id. */
  embeddedFileIds: text("embedded_file_ids", { mode: "json" }).$type<string[]>().notNull(),
  /** As the owner wrote it, and as it is shown: Markdown has become HTML. The slug tells the shape: see the contract. */
  content: text("content", { mode: "json" })
    .$type<{ written: object; shown: Record<string, unknown> }>()
    .notNull(),
  updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
});
