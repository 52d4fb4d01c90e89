import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * Side effects of writes. A row goes into the same batch as its write; a queue message makes delivery prompt, and the
 * sweep every minute makes it certain.
 */
export const outbox = sqliteTable(
  "outbox",
  {
    id: text("id").primaryKey(),
    /** Selects the handler that delivers the payload: `mail`. */
    topic: text("topic").notNull(),
    payload: text("payload", { mode: "json" }).notNull(),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** The earliest next attempt; after a failure this is the back-off. */
    notBefore: integer("not_before", { mode: "timestamp_ms" }).notNull(),
    /** The end of a delivery's claim; after it the delivery counts as crashed and the row may be claimed again. */
    claimedUntil: integer("claimed_until", { mode: "timestamp_ms" }),
    doneAt: integer("done_at", { mode: "timestamp_ms" }),
    /** Given up after the last attempt; shown to the owner. */
    failedAt: integer("failed_at", { mode: "timestamp_ms" }),
    lastError: text("last_error"),
    /** The part of the payload that many rows share. */
    bodyId: text("body_id").references(() => outboxBodies.id),
    /** The name of the newest claim. */
    claim: text("claim"),
  },
  (table) => [
    index("outbox_by_body")
      .on(table.bodyId)
      .where(sql`body_id is not null`),
    index("outbox_due")
      .on(table.notBefore)
      .where(sql`done_at is null and failed_at is null`),
    index("outbox_by_topic").on(table.topic, table.createdAt),
    // The people a row is about: its recipient, its reply-to address, or the sender of a request.
    index("outbox_by_recipient")
      .on(sql`payload ->> 'to'`)
      .where(sql`payload ->> 'to' is not null`),
    index("outbox_by_reply_to")
      .on(sql`payload ->> '$.replyTo.address'`)
      .where(sql`payload ->> '$.replyTo.address' is not null`),
    index("outbox_by_asker")
      .on(sql`payload ->> 'email'`)
      .where(sql`payload ->> 'email' is not null`),
    // What is for a webhook.
    index("outbox_by_webhook")
      .on(sql`payload ->> 'webhook'`, table.createdAt)
      .where(sql`payload ->> 'webhook' is not null`),
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

/** Exact counters for concurrent requests. */
export const rateLimits = sqliteTable(
  "rate_limits",
  {
    /** SHA-256 of the subject, base64url. */
    subject: text("subject").primaryKey(),
    count: integer("count").notNull(),
    /** The end of its window; from then on the row counts as zero. */
    expiresAt: integer("expires_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [index("rate_limits_expired").on(table.expiresAt)],
);

/**
 * Keys of signed links and sessions. Created on first use, so that a deployment needs no secret set by hand; replaced as
 * docs/decisions/0098-key-rotation.md says.
 */
export const signingKeys = sqliteTable(
  "signing_keys",
  {
    id: integer("id").primaryKey(),
    /** 256 random bits, base64url; encrypted if the deployment has a KEY_SECRET (data/sealed.ts). */
    secret: text("secret").notNull(),
    /** The key's id, in the header of each token that it signs. `legacy`: the key of tokens without one. */
    kid: text("kid").notNull().default("legacy"),
    /** `lasting`: of tokens that never expire. The newest key of a use signs. */
    use: text("use", { enum: ["expiring", "lasting"] })
      .notNull()
      .default("lasting"),
    /** Of the `legacy` key: when keys got ids. */
    createdAt: integer("created_at", { mode: "timestamp_ms" })
      .notNull()
      .default(sql`0`),
  },
  (table) => [uniqueIndex("signing_keys_kid").on(table.kid)],
);

/** Queue messages that failed all their retries, kept for the owner to see. */
export const deadLetters = sqliteTable("dead_letters", {
  /** The queue's own message id, so that a redelivery is one row. */
  id: text("id").primaryKey(),
  body: text("body", { mode: "json" }).notNull(),
  arrivedAt: integer("arrived_at", { mode: "timestamp_ms" }).notNull(),
});

/** The last change of each cache tag, by a logical clock that counts changes. */
export const cacheTags = sqliteTable(
  "cache_tags",
  {
    /** `episodes`, `episode:5`, `site` … */
    tag: text("tag").primaryKey(),
    version: integer("version").notNull(),
    /** The version up to which the platform's cache was purged. */
    purged: integer("purged").notNull().default(0),
  },
  (table) => [index("cache_tags_by_version").on(table.version)],
);
