import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { SECURITY_EVENTS, type LogFault } from "#worker/accounts/contract.ts";
import { ROLES, type Scope } from "#worker/access/contract.ts";
import { passkeyColumns } from "#worker/webauthn/columns.ts";

export const users = sqliteTable(
  "users",
  {
    id: text("id").primaryKey(),
    /** Lowercased. */
    email: text("email").notNull(),
    fullName: text("full_name").notNull(),
    role: text("role", { enum: ROLES }).notNull(),
    /** Algorithm, parameters, salt and hash in one text, so that the parameters can be raised at the next login. */
    passwordHash: text("password_hash"),
    isActive: integer("is_active", { mode: "boolean" }).notNull(),
    emailVerified: integer("email_verified", { mode: "boolean" }).notNull(),
    /** Random; replaced when password, role, address or state changes, which ends every session and signed link made before. */
    stamp: text("stamp").notNull(),
    /** A new address, which replaces `email` once the link sent to it is used. */
    pendingEmail: text("pending_email"),
    /** At most five minutes old; null until the first login. */
    lastSeenAt: integer("last_seen_at", { mode: "timestamp_ms" }),
    /** Ends the sessions that were opened up to then, except `remainingSession`. */
    othersEndedAt: integer("others_ended_at", { mode: "timestamp_ms" }),
    /** The session in which the user signed out all other devices. */
    remainingSession: text("remaining_session"),
    /** Number of reset emails sent. */
    passwordResetAttempts: integer("password_reset_attempts").notNull().default(0),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [uniqueIndex("users_email").on(table.email)],
);

/** In D1 and not in KV, which could lose guesses between data centres. */
export const loginAttempts = sqliteTable(
  "login_attempts",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    /** An account's passwords, codes or passkey, an address or its network (attempts.ts), hashed. */
    subject: text("subject").notNull(),
    at: integer("at", { mode: "timestamp_ms" }).notNull(),
    /** Null once the attempt has failed; before that, until when it counts as if it had. */
    pendingUntil: integer("pending_until", { mode: "timestamp_ms" }),
  },
  (table) => [index("login_attempts_subject").on(table.subject, table.at)],
);

/**
 * Sessions of which some or all tokens were ended, until none of them would work. In D1: KV may return a deleted record for a
 * minute.
 */
export const endedSessions = sqliteTable(
  "ended_sessions",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    expiresAt: integer("expires_at", { mode: "timestamp_ms" }).notNull(),
    /** The last proof in the session (docs/decisions/0091-recent-proof.md) that ended its tokens from before; null: all are ended. */
    provedAt: integer("proved_at", { mode: "timestamp_ms" }),
    /** That proof was sent with a token of this time: it and older ones end a little after the proof. */
    formerThrough: integer("former_through", { mode: "timestamp_ms" })
      .notNull()
      .default(sql`0`),
    /** The same of the proof before: such tokens have ended, and no later proof lets them work again. */
    endedThrough: integer("ended_through", { mode: "timestamp_ms" })
      .notNull()
      .default(sql`0`),
  },
  (table) => [
    index("ended_sessions_user").on(table.userId),
    index("ended_sessions_expired").on(table.expiresAt),
  ],
);

/** A signed-in browser from before sessions had tokens (docs/decisions/0097-sessions-in-kv.md). */
export const sessions = sqliteTable(
  "sessions",
  {
    /** SHA-256 of the cookie's token. */
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The user's stamp when the session was opened; a different one ends the session. */
    stamp: text("stamp").notNull(),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    /** At most five minutes old. */
    seenAt: integer("seen_at", { mode: "timestamp_ms" }).notNull(),
    address: text("address").notNull(),
    userAgent: text("user_agent").notNull(),
    /** When its user last proved who they are: at the sign-in, or when asked for it later. */
    authenticatedAt: integer("authenticated_at", { mode: "timestamp_ms" })
      .notNull()
      .default(sql`0`),
  },
  (table) => [index("sessions_user").on(table.userId)],
);

/** A user's passkey: it signs in to the admin area. Those of members have a table of their own. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    ...passkeyColumns(),
  },
  (table) => [
    uniqueIndex("passkeys_credential").on(table.credentialId),
    index("passkeys_user").on(table.userId),
  ],
);

/** A key by which a program acts for its owner, within its scopes. */
export const apiTokens = sqliteTable(
  "api_tokens",
  {
    id: text("id").primaryKey(),
    /** SHA-256 of the secret. */
    hash: text("hash").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    scopes: text("scopes", { mode: "json" }).$type<Scope[]>().notNull(),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    /** Null: it does not expire. */
    expiresAt: integer("expires_at", { mode: "timestamp_ms" }),
    /** At most a minute old. */
    lastUsedAt: integer("last_used_at", { mode: "timestamp_ms" }),
  },
  (table) => [
    uniqueIndex("api_tokens_hash").on(table.hash),
    index("api_tokens_user").on(table.userId, table.createdAt),
  ],
);

/** The authenticator app of a user, which makes the codes that a sign-in by password asks for. */
export const secondFactors = sqliteTable("second_factors", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** The secret that the app shares, encrypted (factor-secrets.ts). */
  secret: text("secret").notNull(),
  /** The 30-second step of the last accepted code: a code works once. */
  lastStep: integer("last_step").notNull().default(0),
  createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
  /** Null until a code has proved that the app has the secret. */
  enabledAt: integer("enabled_at", { mode: "timestamp_ms" }),
});

/** Codes on paper that take the place of the app. A used one is deleted. */
export const recoveryCodes = sqliteTable(
  "recovery_codes",
  {
    /** SHA-256 of the code, which has 140 random bits. */
    hash: text("hash").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [index("recovery_codes_user").on(table.userId)],
);

/** The key that encrypts the secrets of `second_factors` where the deployment has no KEY_SECRET. */
export const factorKeys = sqliteTable("factor_keys", {
  id: integer("id").primaryKey(),
  /** 256 random bits, base64url. */
  secret: text("secret").notNull(),
});

/** Browsers that a user has signed in from, known by a cookie. */
export const knownDevices = sqliteTable(
  "known_devices",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** SHA-256 of the cookie's token. */
    hash: text("hash").notNull(),
    firstAt: integer("first_at", { mode: "timestamp_ms" }).notNull(),
    lastAt: integer("last_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.hash] }),
    index("known_devices_last").on(table.lastAt),
  ],
);

/** The roles that need a second factor. */
export const factorRules = sqliteTable("factor_rules", {
  role: text("role", { enum: ROLES }).primaryKey(),
  /** Since when; users who were added later have their grace from then on. */
  since: integer("since", { mode: "timestamp_ms" }).notNull(),
  /** Days that a user without one has. */
  graceDays: integer("grace_days").notNull(),
});

/** The audit log. It stores addresses as text, since users are renamed and deleted. */
export const securityEvents = sqliteTable(
  "security_events",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    at: integer("at", { mode: "timestamp_ms" }).notNull(),
    kind: text("kind", { enum: SECURITY_EVENTS }).notNull(),
    /** The account's address; for a failed login the address as typed. */
    email: text("email").notNull(),
    /** The address of the user who did it, if not the account's own. */
    by: text("by"),
    address: text("address").notNull(),
    userAgent: text("user_agent").notNull(),
    detail: text("detail"),
    /** Null until it is chained (log-chain.ts), and once its personal data is erased. */
    salt: text("salt"),
    /** Of the salt, the addresses, the browser and the detail. */
    personalHash: text("personal_hash"),
    /** Of the hash of the entry before it, id, time, kind and `personalHash`. */
    hash: text("hash"),
  },
  (table) => [
    index("security_events_at").on(table.at),
    index("security_events_kind").on(table.kind, table.at),
  ],
);

/** One row, id 1: the last chained entry of the audit log, and the last that was deleted after a year. */
export const logChain = sqliteTable("log_chain", {
  id: integer("id").primaryKey(),
  lastId: integer("last_id").notNull(),
  lastHash: text("last_hash").notNull(),
  prunedId: integer("pruned_id").notNull(),
  prunedHash: text("pruned_hash").notNull(),
});

/** Checks of the audit log's chain at night: the one that runs, and the last that has ended (nightly-log-check.ts). */
export const logChecks = sqliteTable("log_checks", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  begunAt: integer("begun_at", { mode: "timestamp_ms" }).notNull(),
  /** The last entry that was checked; null at the beginning. */
  after: integer("after"),
  checked: integer("checked").notNull(),
  /** Entries without their personal data, which was erased. */
  erased: integer("erased").notNull(),
  /** The first run has found a fault. */
  isSecond: integer("is_second", { mode: "boolean" }).notNull(),
  finishedAt: integer("finished_at", { mode: "timestamp_ms" }),
  faults: text("faults", { mode: "json" }).$type<LogFault[]>().notNull().default([]),
  /** Faults beyond these. */
  more: integer("more").notNull().default(0),
  /** Nightly copies whose heads were compared. */
  copies: integer("copies").notNull().default(0),
});

/** The last email about entries of a kind, of those that the owner is written to about. */
export const logAlerts = sqliteTable("log_alerts", {
  kind: text("kind", { enum: SECURITY_EVENTS }).primaryKey(),
  /** The last entry that an email was about, or that was there when the owner chose the kind. */
  throughId: integer("through_id").notNull(),
  /** Null before the first. */
  sentAt: integer("sent_at", { mode: "timestamp_ms" }),
});

/** How many refusals of an hour are not in the audit log (refusals.ts). */
export const leftOutRefusals = sqliteTable(
  "left_out_refusals",
  {
    kind: text("kind", { enum: SECURITY_EVENTS }).notNull(),
    /** The user's address; empty for all visitors. */
    email: text("email").notNull(),
    /** Hours since 1970. */
    hour: integer("hour").notNull(),
    count: integer("count").notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.email, table.hour] })],
);
