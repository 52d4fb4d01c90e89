import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { memberSources } from "#worker/members/contract.ts";
import { passkeyColumns } from "#worker/webauthn/columns.ts";

/** What a membership is of: Supporter, Patron … */
export const tiers = sqliteTable(
  "tiers",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    name: text("name").notNull(),
    description: text("description").notNull(),
    /** As members read it. */
    price: text("price").notNull(),
    sortOrder: integer("sort_order").notNull(),
    /** The user and the key of the form that created it: a repeated request creates no second tier. */
    draftKey: text("draft_key"),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [uniqueIndex("tiers_name").on(table.name), uniqueIndex("tiers_draft_key").on(table.draftKey)],
);

/**
 * People with a membership, which `stateOf` says the state of. The row is no consent to letters: whether a member gets those is
 * in `subscribers`, by the same address.
 */
export const members = sqliteTable(
  "members",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    /** Lowercased. */
    email: text("email").notNull(),
    tierId: integer("tier_id")
      .notNull()
      .references(() => tiers.id),
    source: text("source", { enum: memberSources }).notNull(),
    since: integer("since", { mode: "timestamp_ms" }).notNull(),
    /** Exclusive; null: without an end. */
    until: integer("until", { mode: "timestamp_ms" }),
    /** Random; replaced when a link signs them in, so that each link works once. */
    stamp: text("stamp").notNull(),
    /** What the token of the private feed is derived from (feed/tokens.ts); null without a feed. Here, so that a poll reads one row. */
    feedSeed: text("feed_seed"),
    /** Of that token. */
    feedHash: text("feed_hash"),
    feedMadeAt: integer("feed_made_at", { mode: "timestamp_ms" }),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [
    uniqueIndex("members_email").on(table.email),
    index("members_by_tier").on(table.tierId),
    uniqueIndex("members_feed_hash").on(table.feedHash),
  ],
);

/**
 * Where members are signed in. Rows, not signed tokens as for users, so that nothing that is accepted as one can be the other
 * (docs/decisions/0119-members-sign-in.md).
 */
export const memberSessions = sqliteTable(
  "member_sessions",
  {
    /** SHA-256 of the cookie's token, base64url. */
    id: text("id").primaryKey(),
    memberId: integer("member_id")
      .notNull()
      .references(() => members.id, { onDelete: "cascade" }),
    userAgent: text("user_agent").notNull(),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    /** At most a day old while it is used. */
    seenAt: integer("seen_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [index("member_sessions_by_member").on(table.memberId, table.seenAt)],
);

/** A member's passkey: it signs in to the account, never to the admin area, whose passkeys have a table of their own. */
export const memberPasskeys = sqliteTable(
  "member_passkeys",
  {
    id: text("id").primaryKey(),
    memberId: integer("member_id")
      .notNull()
      .references(() => members.id, { onDelete: "cascade" }),
    ...passkeyColumns(),
  },
  (table) => [
    uniqueIndex("member_passkeys_credential").on(table.credentialId),
    index("member_passkeys_by_member").on(table.memberId),
  ],
);
