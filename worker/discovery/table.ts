import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { documentKinds } from "#worker/discovery/contract.ts";

/** The searchable documents: a row per published document, written by triggers (search-schema.ts). */
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

/** Index rows that triggers wrote with SQLite's tokenizer and that the Worker must rewrite (search-refresh.ts). */
export const searchPending = sqliteTable(
  "search_pending",
  {
    /** Increases: a row that changes again while it is being rewritten gets a new id. */
    id: integer("id").primaryKey({ autoIncrement: true }),
    /** The FTS5 table. */
    target: text("target").notNull(),
    row: integer("row").notNull(),
    /** Part of a large change, for which no search waits. */
    isBulk: integer("is_bulk", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    uniqueIndex("search_pending_row").on(table.target, table.row),
    index("search_pending_by_target").on(table.isBulk, table.target),
  ],
);
