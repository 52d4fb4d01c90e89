import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { revisionKinds } from "#worker/revisions/contract.ts";

/** The saved versions of items, the current one included. */
export const revisions = sqliteTable(
  "revisions",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    kind: text("kind", { enum: revisionKinds }).notNull(),
    /** The item's id or slug. */
    item: text("item").notNull(),
    /** Null for a job. No foreign key: a version outlives its author's account. */
    userId: text("user_id"),
    userName: text("user_name"),
    isAutomatic: integer("is_automatic", { mode: "boolean" }).notNull(),
    restoredFrom: integer("restored_from", { mode: "timestamp_ms" }),
    /** The time of the first autosave that became this version. */
    startedAt: integer("started_at", { mode: "timestamp_ms" }).notNull(),
    savedAt: integer("saved_at", { mode: "timestamp_ms" }).notNull(),
    /** A hash and a word count per field, so that lists show changes without reading the values. */
    digest: text("digest", { mode: "json" }).$type<Digest>().notNull(),
    /** The files in the values, by id: a restorable version protects its pictures from deletion. */
    fileIds: text("embedded_file_ids", { mode: "json" }).$type<string[]>().notNull(),
    /**
     * The fields as JSON, gzipped, in base64 (packed.ts): D1's limit is 2 MB per row, and escaped JSON can be larger.
     */
    packed: text("packed").notNull(),
  },
  (table) => [index("revisions_by_item").on(table.kind, table.item, table.id)],
);

export type Digest = Record<string, [hash: string, words: number | null]>;
