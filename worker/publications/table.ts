import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { publicationKinds } from "#worker/publications/contract.ts";

/** When each item was last published, which may differ from its date. */
export const publications = sqliteTable(
  "publications",
  {
    kind: text("kind", { enum: publicationKinds }).notNull(),
    itemId: integer("item_id").notNull(),
    wentOutAt: integer("went_out_at", { mode: "timestamp_ms" }).notNull(),
    /** Published by its schedule; otherwise by a user. */
    isPlanned: integer("is_planned", { mode: "boolean" }).notNull(),
    /** The outbox row of the hub's ping; null if there was no hub. It is deleted before this row. */
    pingId: text("ping_id"),
  },
  (table) => [primaryKey({ columns: [table.kind, table.itemId] })],
);
