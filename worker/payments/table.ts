import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { members, tiers } from "#worker/members/table.ts";
import { intervals, noticeOutcomes } from "#worker/payments/contract.ts";

/** One row, id 1: API key and webhook secret as JSON. In no copy and no export (backups/database-sql.ts, exports/left-out.ts). */
export const paymentKeys = sqliteTable("payment_keys", {
  id: integer("id").primaryKey(),
  /** Stored as `seal` does. */
  secret: text("secret").notNull(),
});

/** One row, id 1: the account of the keys, and the state of the comparison with it. */
export const paymentSetup = sqliteTable("payment_setup", {
  id: integer("id").primaryKey(),
  account: text("account").notNull(),
  /** Whether the key moves money; otherwise it is of Stripe's test mode. */
  isLive: integer("is_live", { mode: "boolean" }).notNull(),
  /** Since when events are compared; null while none are. */
  comparesFrom: integer("compares_from", { mode: "timestamp_ms" }),
  /** When the comparison began. */
  comparisonAt: integer("comparison_at", { mode: "timestamp_ms" }),
  /** The last event of the page before; null at the first page. */
  comparedTo: text("compared_to"),
  comparedAt: integer("compared_at", { mode: "timestamp_ms" }),
  problem: text("problem"),
});

export const tierPrices = sqliteTable(
  "tier_prices",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    tierId: integer("tier_id")
      .notNull()
      .references(() => tiers.id, { onDelete: "cascade" }),
    /** Of the price at Stripe. */
    price: text("price").notNull().unique(),
    currency: text("currency").notNull(),
    amount: integer("amount").notNull(),
    interval: text("interval", { enum: intervals }).notNull(),
  },
  (table) => [index("tier_prices_tier").on(table.tierId)],
);

/** Subscriptions at Stripe, as it last described them. */
export const paymentSubscriptions = sqliteTable(
  "payment_subscriptions",
  {
    /** Stripe's. */
    id: text("id").primaryKey(),
    customer: text("customer").notNull(),
    /** Null once the member was deleted: the subscription then makes none again. */
    memberId: integer("member_id").references(() => members.id, { onDelete: "set null" }),
    tierId: integer("tier_id").references(() => tiers.id, { onDelete: "set null" }),
    /** Stripe's word. */
    status: text("status").notNull(),
    since: integer("since", { mode: "timestamp_ms" }).notNull(),
    /** Exclusive; null: it renews. */
    until: integer("until", { mode: "timestamp_ms" }),
    /** Increased by each write, which fails if another one came since the row was read. */
    version: integer("version").notNull(),
  },
  (table) => [index("payment_subscriptions_member").on(table.memberId)],
);

/** Notices of Stripe, each processed once. Deleted once Stripe no longer repeats them. */
export const paymentNotices = sqliteTable(
  "payment_notices",
  {
    /** Of the event. */
    id: text("id").primaryKey(),
    type: text("type").notNull(),
    outcome: text("outcome", { enum: noticeOutcomes }).notNull(),
    /** For the owner; empty if it was applied. */
    message: text("message").notNull(),
    receivedAt: integer("received_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [index("payment_notices_outcome").on(table.outcome, table.receivedAt)],
);
