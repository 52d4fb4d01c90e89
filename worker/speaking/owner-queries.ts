import { desc, eq, type SQL } from "drizzle-orm";
import { isAllowed, requireCapability } from "#worker/access/capabilities.ts";
import { shortList } from "#worker/nouns/short-list.ts";
import type { Context } from "#worker/platform/context.ts";
import { cursorOf, olderThan, pageOf } from "#worker/platform/data/keyset.ts";
import {
  confidentialFields,
  EngagementChange,
  engagementDefaults,
  NewEngagement,
  type EngagementRow,
} from "#worker/speaking/contract.ts";
import { engagementColumns, toEngagement } from "#worker/speaking/queries.ts";
import { engagements, listedAt, UNDATED } from "#worker/speaking/table.ts";

const LIST_ROWS = 50;

/**
 * Every engagement, in any status: undated ones, then the latest first. `before` is the previous page's `next`.
 * @throws `unauthenticated`, `forbidden`; `not_found` for a malformed cursor
 */
export async function listEngagements(ctx: Context, { before }: { before?: string } = {}) {
  requireCapability("edit", ctx);
  const rows = await ctx.db
    .select({ ...engagementColumns, status: engagements.status })
    .from(engagements)
    .where(before === undefined ? undefined : olderThan(before, listedAt, engagements.id))
    .orderBy(desc(listedAt), desc(engagements.id))
    .limit(LIST_ROWS + 1);
  const listed = rows.map((row): EngagementRow => toEngagement(row));
  return pageOf(listed, LIST_ROWS, ({ date, id }) => cursorOf(date ?? UNDATED, id));
}

/**
 * An engagement's title; null if it was deleted. The id may be selected by SQL.
 * @throws `unauthenticated`, `forbidden`
 */
export async function readEngagementTitle(ctx: Context, id: number | SQL) {
  requireCapability("audience", ctx);
  const [row] = await ctx.db
    .select({ id: engagements.id, title: engagements.title })
    .from(engagements)
    .where(eq(engagements.id, id));
  return row ?? null;
}

export const engagementList = shortList({
  table: engagements,
  one: "engagement",
  tag: "engagements",
  shown: { column: "status", value: "upcoming" },
  New: NewEngagement,
  Change: EngagementChange,
  defaults: engagementDefaults,
  /** A user who may not see personal data may not write it either. */
  requireGiven(ctx, given) {
    if (confidentialFields.some((name) => given[name] !== undefined)) requireCapability("audience", ctx);
  },
  toColumns: (_ctx, { date, ...fields }) => ({
    ...fields,
    ...(date !== undefined && { date: date === null ? null : new Date(date) }),
  }),
  onceBy: "bookingId",
  toEdited(ctx, { bookingId: _booking, date, contactEmail, contactPhone, fee, notes, ...values }) {
    return {
      values: { ...values, date: date && date.toISOString().slice(0, 10) },
      confidential: isAllowed("audience", ctx) ? { contactEmail, contactPhone, fee, notes } : null,
    };
  },
});

export const readEngagementForEdit = engagementList.readForEdit;
