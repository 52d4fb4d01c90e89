import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** About, mission, legal pages and so on. A page without a row shows its default content. */
export const pages = sqliteTable("pages", {
  slug: text("slug").primaryKey(),
  /** The files that the content shows or links to, by id. */
  embeddedFileIds: text("embedded_file_ids", { mode: "json" }).$type<string[]>().notNull(),
  /** The source, and the same rendered: Markdown as HTML. The slug decides the shape (contract.ts). */
  content: text("content", { mode: "json" })
    .$type<{ written: object; shown: Record<string, unknown> }>()
    .notNull(),
  updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
});
