import { desc, eq, type SQL } from "drizzle-orm";
import { isAllowed, requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { cursorOf, olderThan, pageOf } from "#worker/platform/data/keyset.ts";
import type { EditableEngagement, EngagementRow } from "#worker/speaking/contract.ts";
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
 * An engagement as it is edited; without contact, fee and notes for users who may not see personal data.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readEngagementForEdit(ctx: Context, id: number): Promise<EditableEngagement> {
  requireCapability("edit", ctx);
  return toEditable(ctx, await readEngagementRow(ctx, eq(engagements.id, id)));
}

/**
 * An engagement's title; null if it was deleted.
 * @throws `unauthenticated`, `forbidden`
 */
export async function readEngagementTitle(ctx: Context, id: number) {
  requireCapability("edit", ctx);
  const [row] = await ctx.db
    .select({ id: engagements.id, title: engagements.title })
    .from(engagements)
    .where(eq(engagements.id, id));
  return row ?? null;
}

type EngagementColumns = typeof engagements.$inferSelect;

export function toEditable(ctx: Context, row: EngagementColumns): EditableEngagement {
  const { id, draftKey: _key, createdAt: _created, updatedAt, bookingId: _booking, date, ...rest } = row;
  const { contactEmail, contactPhone, fee, notes, ...values } = rest;
  return {
    id,
    updatedAt: updatedAt.getTime(),
    values: { ...values, date: date && date.toISOString().slice(0, 10) },
    confidential: isAllowed("audience", ctx) ? { contactEmail, contactPhone, fee, notes } : null,
  };
}

/** @throws `not_found` */
export async function readEngagementRow({ db }: Context, isIt: SQL): Promise<EngagementColumns> {
  const [row] = await db.select().from(engagements).where(isIt);
  if (!row) throw engagementNotFound();
  return row;
}

export const engagementNotFound = () => new AppError("not_found", "There is no such engagement.");
