import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { revisionKinds } from "#worker/revisions/contract.ts";

/** What was saved of an item, version by version, the current one included. */
export const revisions = sqliteTable(
  "revisions",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    kind: text("kind", { enum: revisionKinds }).notNull(),
    /** The item's id or slug. */
    item: text("item").notNull(),
    /** Null for a job. No foreign key: a version outlives the account of whoever saved it. */
    userId: text("user_id"),
    userName: text("user_name"),
    isAutomatic: integer("is_automatic", { mode: "boolean" }).notNull(),
    restoredFrom: integer("restored_from", { mode: "timestamp_ms" }),
    /** Of automatic saves that became one version: the first of them. */
    startedAt: integer("started_at", { mode: "timestamp_ms" }).notNull(),
    savedAt: integer("saved_at", { mode: "timestamp_ms" }).notNull(),
    /** Of each field a hash and its number of words, so that lists tell what changed without reading the values. */
    digest: text("digest", { mode: "json" }).$type<Digest>().notNull(),
    /** The files that the values name, by id: a version that can be restored keeps its pictures. */
    fileIds: text("embedded_file_ids", { mode: "json" }).$type<string[]>().notNull(),
    /** The fields as JSON, gzipped, in base64 (packed.ts): D1 holds 2 MB a row, and escaped JSON can be more. */
    packed: text("packed").notNull(),
  },
  (table) => [index("revisions_by_item").on(table.kind, table.item, table.id)],
);

export type Digest = Record<string, [hash: string, words: number | null]>;
