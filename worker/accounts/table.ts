import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const users = sqliteTable(
  "users",
  {
    id: text("id").primaryKey(),
    /** Lowercased. */
    email: text("email").notNull(),
    fullName: text("full_name").notNull(),
    role: text("role", { enum: ["super_admin", "admin", "editor", "user"] }).notNull(),
    /** Algorithm, parameters, salt and hash in one text, so that they can be raised at the next login. */
    passwordHash: text("password_hash"),
    isActive: integer("is_active", { mode: "boolean" }).notNull(),
    emailVerified: integer("email_verified", { mode: "boolean" }).notNull(),
    /** Random; replaced when password, role or state changes, which ends every session and signed link made before. */
    stamp: text("stamp").notNull(),
    passwordResetAttempts: integer("password_reset_attempts").notNull().default(0),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [uniqueIndex("users_email").on(table.email)],
);

/** Counted here and not in KV, because a guess must never be lost between two data centres. */
export const loginAttempts = sqliteTable(
  "login_attempts",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    /** `account:…` or `address:…`, hashed. */
    subject: text("subject").notNull(),
    at: integer("at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [index("login_attempts_subject").on(table.subject, table.at)],
);
