import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
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

/** Rows of the index that triggers have written as SQL can, and that the Worker is to write anew (search-refresh.ts). */
export const searchPending = sqliteTable(
  "search_pending",
  {
    /** Grows: whatever changes once more while it is written anew has another number. */
    id: integer("id").primaryKey({ autoIncrement: true }),
    /** The FTS5 table. */
    target: text("target").notNull(),
    row: integer("row").notNull(),
    /** Of a whole index, which no search waits for. */
    isBulk: integer("is_bulk", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    uniqueIndex("search_pending_row").on(table.target, table.row),
    index("search_pending_by_target").on(table.isBulk, table.target),
  ],
);
