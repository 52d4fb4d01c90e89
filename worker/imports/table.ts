import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { importStates, itemStates, PLANNING } from "#worker/imports/contract.ts";

/** An import, item by item. */
export const imports = sqliteTable(
  "imports",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    /** The kind (registry.ts) that imports its items. */
    kind: text("kind").notNull(),
    /** Its source: an address, or the name of a file. */
    source: text("source").notNull(),
    state: text("state", { enum: [...importStates, PLANNING] }).notNull(),
    /** Why it paused automatically. */
    pausedReason: text("paused_reason"),
    // Counts of its items, so that showing the progress need not count ten thousand rows.
    total: integer("total").notNull().default(0),
    done: integer("done").notNull().default(0),
    skipped: integer("skipped").notNull().default(0),
    failed: integer("failed").notNull().default(0),
    /** Bytes of the items' files, as far as known at the start. */
    bytes: integer("bytes").notNull().default(0),
    bytesMoved: integer("bytes_moved").notNull().default(0),
    /** Items that were imported and then deleted by an undo. */
    undone: integer("undone").notNull().default(0),
    /** When the last undo started: since then its items are deleted, not imported. */
    undoneAt: integer("undone_at", { mode: "timestamp_ms" }),
    createdBy: text("created_by").notNull(),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    startedAt: integer("started_at", { mode: "timestamp_ms" }),
    finishedAt: integer("finished_at", { mode: "timestamp_ms" }),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
    /** The import's details, for its kind. */
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
    /** Unique within its import. */
    key: text("key").notNull(),
    title: text("title").notNull(),
    state: text("state", { enum: itemStates }).notNull(),
    /** For a waiting item, when it is due; for a working one, when its claim lapses. */
    notBefore: integer("not_before", { mode: "timestamp_ms" }).notNull(),
    /** The name of the claim: a consumer that lost it writes nothing. */
    claim: text("claim"),
    /** Since the last progress. */
    attempts: integer("attempts").notNull().default(0),
    message: text("message"),
    /** The id of what was created. */
    result: text("result"),
    /** Bytes of its files, if known, and how many are stored. */
    size: integer("size").notNull().default(0),
    moved: integer("moved").notNull().default(0),
    settledAt: integer("settled_at", { mode: "timestamp_ms" }),
    /** Where its kind continues in the next message. */
    saved: text("saved", { mode: "json" }),
    // Long, so last: SQLite reads a row from its start.
    payload: text("payload", { mode: "json" }).notNull(),
  },
  (table) => [
    uniqueIndex("import_items_once").on(table.importId, table.key),
    // SQLite adds the id to each index, which gives the order of listing and work.
    index("import_items_by_import").on(table.importId),
    index("import_items_by_state").on(table.importId, table.state),
  ],
);
