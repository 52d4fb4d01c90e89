import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { publicationKinds } from "#worker/publications/contract.ts";

/** When each item last went out, which is not the date that it bears. */
export const publications = sqliteTable(
  "publications",
  {
    kind: text("kind", { enum: publicationKinds }).notNull(),
    itemId: integer("item_id").notNull(),
    wentOutAt: integer("went_out_at", { mode: "timestamp_ms" }).notNull(),
    /** By its schedule; otherwise somebody published it. */
    isPlanned: integer("is_planned", { mode: "boolean" }).notNull(),
    /** The outbox row of the hub's ping; null where there was no hub. It is deleted before this row. */
    pingId: text("ping_id"),
  },
  (table) => [primaryKey({ columns: [table.kind, table.itemId] })],
);
