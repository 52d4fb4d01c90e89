import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { EventType } from "#worker/webhooks/contract.ts";

/** Programs that are sent events. What waits for them is in the outbox. */
export const webhooks = sqliteTable(
  "webhooks",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    url: text("url").notNull(),
    description: text("description").notNull(),
    events: text("events", { mode: "json" }).$type<EventType[]>().notNull(),
    paused: text("paused", { enum: ["owner", "gone"] }),
    /** When a delivery last failed for good; null once a later one succeeded. */
    failedAt: integer("failed_at", { mode: "timestamp_ms" }),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [uniqueIndex("webhooks_url").on(table.url)],
);

/** Stored as `seal` does (platform/data/sealed.ts). */
export type FormerSecret = { secret: string; /** Milliseconds UTC. */ until: number };

/** In a table of their own, whose rows are in no copy and no export (backups/database-sql.ts, exports/left-out.ts). */
export const webhookSecrets = sqliteTable("webhook_secrets", {
  webhookId: integer("webhook_id")
    .primaryKey()
    .references(() => webhooks.id, { onDelete: "cascade" }),
  secret: text("secret").notNull(),
  former: text("former", { mode: "json" }).$type<FormerSecret[]>().notNull(),
});

/** The latest try of a delivery. */
export const webhookTries = sqliteTable(
  "webhook_tries",
  {
    /** Of the outbox row. */
    deliveryId: text("delivery_id").primaryKey(),
    webhookId: integer("webhook_id")
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    count: integer("count").notNull(),
    at: integer("at", { mode: "timestamp_ms" }).notNull(),
    /** Null without a response. */
    status: integer("status"),
    durationMs: integer("duration_ms").notNull(),
    /** The beginning of the response's body, at most 1 kB. */
    response: text("response").notNull(),
  },
  (table) => [index("webhook_tries_at").on(table.at), index("webhook_tries_webhook").on(table.webhookId)],
);
