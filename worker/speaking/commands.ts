import { and, eq, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { changed } from "#worker/platform/data/changes.ts";
import type { Context } from "#worker/platform/context.ts";
import { draftKeyOf, findByDraftKey, refusingTakenKey } from "#worker/platform/data/draft-key.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { laterThan } from "#worker/platform/data/publishing.ts";
import { isRepeated } from "#worker/platform/data/versions.ts";
import {
  confidentialFields,
  EngagementChange,
  engagementDefaults,
  NewEngagement,
  type Confidential,
  type EditableEngagement,
} from "#worker/speaking/contract.ts";
import { engagementNotFound, readEngagementRow, toEditable } from "#worker/speaking/owner-queries.ts";
import { engagements } from "#worker/speaking/table.ts";

/**
 * Creates an engagement. Idempotent by `bookingId`: a repeated request returns the existing engagement as it is now.
 * Also by `draftKey`: a repeated request changes the same engagement.
 * @throws `unauthenticated`, `forbidden`, also for contact, fee and notes; `invalid`; `conflict` if a concurrent
 * request is creating it
 */
export async function createEngagement(
  ctx: Context,
  input: NewEngagement,
  { bookingId = null }: { bookingId?: number | null } = {},
): Promise<EditableEngagement> {
  requireCapability("edit", ctx);
  const { draftKey: key, ...given } = parseInput(NewEngagement, input);
  requireForConfidential(ctx, given);
  const draftKey = draftKeyOf(ctx, key);
  const made = await findByDraftKey(ctx, engagements, draftKey);
  if (made !== null) return updateEngagement(ctx, made, given);
  const { date, ...engagement } = { ...engagementDefaults, ...given };
  const insert = ctx.db
    .insert(engagements)
    .values({
      ...engagement,
      date: toDate(date),
      bookingId,
      draftKey,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .onConflictDoNothing({ target: engagements.bookingId })
    .returning();
  const [[created]] = await refusingTakenKey(engagements, () =>
    ctx.db.batch([insert, ...changedIf(ctx, engagement.status === "upcoming")]),
  );
  return toEditable(ctx, created ?? (await readEngagementRow(ctx, eq(engagements.bookingId, bookingId!))));
}

/**
 * Changes the given fields. `basedOn` is the `updatedAt` that the change was made from.
 * @throws `unauthenticated`, `forbidden`, also for contact, fee and notes; `not_found`; `invalid`; `conflict` when the
 * engagement was changed elsewhere since `basedOn`
 */
export async function updateEngagement(
  ctx: Context,
  id: number,
  input: EngagementChange,
): Promise<EditableEngagement> {
  requireCapability("edit", ctx);
  const { basedOn, date, ...rest } = parseInput(EngagementChange, input);
  requireForConfidential(ctx, rest);
  const change = { ...rest, ...(date !== undefined && { date: toDate(date) }) };
  const row = await readEngagementRow(ctx, eq(engagements.id, id));
  if (isRepeated({ basedOn, stored: row, given: change, changedElsewhere })) return toEditable(ctx, row);
  const update = ctx.db
    .update(engagements)
    .set({ ...change, updatedAt: laterThan(row.updatedAt, ctx.now) })
    .where(and(eq(engagements.id, id), eq(engagements.updatedAt, row.updatedAt)))
    .returning();
  const isSeen = row.status === "upcoming" || change.status === "upcoming";
  const [[updated]] = await ctx.db.batch([update, ...changedIf(ctx, isSeen)]);
  if (!updated) throw changedElsewhere();
  return toEditable(ctx, updated);
}

/** @throws `unauthenticated`, `forbidden`; `not_found` */
export async function deleteEngagement(ctx: Context, id: number) {
  requireCapability("edit", ctx);
  const isThis = eq(engagements.id, id);
  const seen = sql`select 'engagements' as tag from ${engagements}
    where ${isThis} and ${engagements.status} = 'upcoming'`;
  const remove = ctx.db.delete(engagements).where(isThis).returning({ id: engagements.id });
  const [, [deleted]] = await ctx.db.batch([changed(ctx, seen), remove]);
  if (!deleted) throw engagementNotFound();
}

/** A user who may not see personal data may not write it either. */
function requireForConfidential(ctx: Context, given: Partial<Confidential>) {
  if (confidentialFields.some((name) => given[name] !== undefined)) requireCapability("audience", ctx);
}

const toDate = (day: string | null) => (day === null ? null : new Date(day));

/** The statement that expires the cached answers, if visitors see the engagement before or after. */
const changedIf = (ctx: Context, isSeen: boolean) => (isSeen ? [changed(ctx, "engagements")] : []);

const changedElsewhere = () =>
  new AppError("conflict", "This engagement was changed elsewhere since you opened it.");
