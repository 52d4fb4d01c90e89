import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { documentKinds } from "#worker/discovery/contract.ts";

/** What search finds: a row for each published document. Triggers write it (search-schema.ts). */
export const searchDocuments = sqliteTable(
  "search_documents",
  {
    /** The row's number in the index of words, too. */
    id: integer("id").primaryKey(),
    kind: text("kind", { enum: documentKinds }).notNull(),
    /** The document's id in its own table. */
    itemId: integer("item_id").notNull(),
    slug: text("slug").notNull(),
    date: integer("date"),
    title: text("title").notNull(),
    summary: text("summary").notNull(),
    /** People, tags or an outlet, comma-separated. */
    names: text("names").notNull(),
    /** Plain text. */
    body: text("body").notNull(),
  },
  (table) => [uniqueIndex("search_documents_item").on(table.kind, table.itemId)],
);
