import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { previewKinds } from "#worker/previews/contract.ts";

/** The single valid preview link of an item; without a row there is none. */
export const previewLinks = sqliteTable(
  "preview_links",
  {
    kind: text("kind", { enum: previewKinds }).notNull(),
    /** The item's id or slug. */
    item: text("item").notNull(),
    /** Random, and part of the signed link: a new stamp invalidates the link. */
    stamp: text("stamp").notNull(),
    expiresAt: integer("expires_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.item] })],
);
