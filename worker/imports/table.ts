import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { importStates, itemStates } from "#worker/imports/contract.ts";

/** Something that moves in item by item. */
export const imports = sqliteTable(
  "imports",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    /** Which of the kinds (kinds.ts) works on its items. */
    kind: text("kind").notNull(),
    /** What it is made from: an address, or the name of a file. */
    source: text("source").notNull(),
    state: text("state", { enum: importStates }).notNull(),
    /** Why it stopped by itself. */
    pausedReason: text("paused_reason"),
    // Its items in numbers, so that nobody counts ten thousand rows to show the progress.
    total: integer("total").notNull().default(0),
    done: integer("done").notNull().default(0),
    skipped: integer("skipped").notNull().default(0),
    failed: integer("failed").notNull().default(0),
    /** Bytes of the items' files, as far as they are known when it starts. */
    bytes: integer("bytes").notNull().default(0),
    bytesMoved: integer("bytes_moved").notNull().default(0),
    /** What it brought and an undo deleted again. */
    undone: integer("undone").notNull().default(0),
    /** When the last undo began: from then on its items are deleted, not imported. */
    undoneAt: integer("undone_at", { mode: "timestamp_ms" }),
    createdBy: text("created_by").notNull(),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    startedAt: integer("started_at", { mode: "timestamp_ms" }),
    finishedAt: integer("finished_at", { mode: "timestamp_ms" }),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
    /** What its kind knows of it as a whole. */
    details: text("details", { mode: "json" }),
  },
  (table) => [index("imports_by_state").on(table.state), index("imports_by_kind").on(table.kind, table.id)],
);

export const importItems = sqliteTable(
  "import_items",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    importId: integer("import_id")
      .notNull()
      .references(() => imports.id, { onDelete: "cascade" }),
    /** What tells it from the others of its import. */
    key: text("key").notNull(),
    title: text("title").notNull(),
    state: text("state", { enum: itemStates }).notNull(),
    /** Of a waiting one when it is to be tried; of a working one when its claim lapses. */
    notBefore: integer("not_before", { mode: "timestamp_ms" }).notNull(),
    /** The name of the claim: whoever lost it writes nothing any more. */
    claim: text("claim"),
    /** Since it last got on. */
    attempts: integer("attempts").notNull().default(0),
    message: text("message"),
    /** The id of what was made of it. */
    result: text("result"),
    /** Bytes of its files as they are known, and how many were moved. */
    size: integer("size").notNull().default(0),
    moved: integer("moved").notNull().default(0),
    settledAt: integer("settled_at", { mode: "timestamp_ms" }),
    /** Where its kind goes on with it in the next message. */
    saved: text("saved", { mode: "json" }),
    // Long, so last: SQLite reads a row from its beginning.
    payload: text("payload", { mode: "json" }).notNull(),
  },
  (table) => [
    uniqueIndex("import_items_once").on(table.importId, table.key),
    // SQLite adds the id to each, in whose order items are listed and worked on.
    index("import_items_by_import").on(table.importId),
    index("import_items_by_state").on(table.importId, table.state),
  ],
);
