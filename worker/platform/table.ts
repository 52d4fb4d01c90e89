import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * What must happen because of a write. The row goes into the same batch as the write; a queue message makes it
 * prompt and the minute's sweep makes it certain.
 */
export const outbox = sqliteTable(
  "outbox",
  {
    id: text("id").primaryKey(),
    /** Which handler delivers the payload: `mail`. */
    topic: text("topic").notNull(),
    payload: text("payload", { mode: "json" }).notNull(),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** Not to be tried before; after a failure this is the back-off. */
    notBefore: integer("not_before", { mode: "timestamp_ms" }).notNull(),
    /** Someone is delivering it until then; past that they died and it may be claimed again. */
    claimedUntil: integer("claimed_until", { mode: "timestamp_ms" }),
    doneAt: integer("done_at", { mode: "timestamp_ms" }),
    /** Given up after the last attempt; shown to the owner. */
    failedAt: integer("failed_at", { mode: "timestamp_ms" }),
    lastError: text("last_error"),
    /** What the payload is completed with, where many rows have it in common. */
    bodyId: text("body_id").references(() => outboxBodies.id),
  },
  (table) => [
    index("outbox_by_body")
      .on(table.bodyId)
      .where(sql`body_id is not null`),
    index("outbox_due")
      .on(table.notBefore)
      .where(sql`done_at is null and failed_at is null`),
    index("outbox_by_topic").on(table.topic, table.createdAt),
    // Whom a row is about: its mail goes to them, or answers go to them, or they asked for something.
    index("outbox_by_recipient")
      .on(sql`payload ->> 'to'`)
      .where(sql`payload ->> 'to' is not null`),
    index("outbox_by_reply_to")
      .on(sql`payload ->> '$.replyTo.address'`)
      .where(sql`payload ->> '$.replyTo.address' is not null`),
    index("outbox_by_asker")
      .on(sql`payload ->> 'email'`)
      .where(sql`payload ->> 'email' is not null`),
    index("outbox_failed")
      .on(table.failedAt)
      .where(sql`failed_at is not null`),
  ],
);

/** A part of the payload that many outbox rows share, such as the text of a letter. Deleted once no row needs it. */
export const outboxBodies = sqliteTable("outbox_bodies", {
  id: text("id").primaryKey(),
  content: text("content", { mode: "json" }).notNull(),
  createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
});

/** Counts that must hold when requests come in parallel. */
export const rateLimits = sqliteTable(
  "rate_limits",
  {
    /** SHA-256 of what is counted, base64url. */
    subject: text("subject").primaryKey(),
    count: integer("count").notNull(),
    /** The end of its window; from then on the row counts as zero. */
    expiresAt: integer("expires_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [index("rate_limits_expired").on(table.expiresAt)],
);

/** Keys of signed links. Made by the database's first use, so that a deployment needs no secret to be set by hand. */
export const signingKeys = sqliteTable("signing_keys", {
  id: integer("id").primaryKey(),
  /** 256 random bits, base64url. */
  secret: text("secret").notNull(),
});

/** Queue messages that failed all their retries, kept for the owner to see. */
export const deadLetters = sqliteTable("dead_letters", {
  /** The queue's own message id, so that a redelivery is one row. */
  id: text("id").primaryKey(),
  body: text("body", { mode: "json" }).notNull(),
  arrivedAt: integer("arrived_at", { mode: "timestamp_ms" }).notNull(),
});

/** When the things that answers depend on last changed, by a clock that counts changes. */
export const cacheTags = sqliteTable(
  "cache_tags",
  {
    /** `episodes`, `episode:5`, `site` … */
    tag: text("tag").primaryKey(),
    version: integer("version").notNull(),
    /** The version of which the platform's own cache was told. */
    purged: integer("purged").notNull().default(0),
  },
  (table) => [index("cache_tags_by_version").on(table.version)],
);
