import { and, eq, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import {
  MOST_TIERS,
  NewTier,
  TierChange,
  tierDefaults,
  TierOrder,
  type EditableTier,
} from "#worker/members/contract.ts";
import { members, tiers } from "#worker/members/table.ts";
import { listTiers, readTierRow, toEditableTier } from "#worker/members/tier-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { draftKeyOf, findByDraftKey, refusingTakenKey } from "#worker/platform/data/draft-key.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { numberInOrder, placeAtEnd } from "#worker/platform/data/order.ts";
import { laterThan, refusingTaken } from "#worker/platform/data/publishing.ts";
import { requireRoom, takeBackIfFull } from "#worker/platform/data/row-limit.ts";
import { isRepeated } from "#worker/platform/data/versions.ts";
import { AppError } from "#worker/platform/errors.ts";

const room = { table: tiers, most: MOST_TIERS, noun: "tiers" };

const refusingTakenName = <T>(write: () => Promise<T>) =>
  refusingTaken("tiers.name", "There is a tier with this name.", write);

/**
 * Creates a tier. Idempotent by `draftKey`: a repeated request changes the same one.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `conflict` for a name in use, or when there are too many
 */
export async function createTier(ctx: Context, input: NewTier): Promise<EditableTier> {
  requireCapability("audience", ctx);
  const { draftKey: key, ...given } = parseInput(NewTier, input);
  const draftKey = draftKeyOf(ctx, key);
  const made = await findByDraftKey(ctx, tiers, draftKey);
  if (made !== null) return updateTier(ctx, made, given);
  const values = { ...tierDefaults, sortOrder: placeAtEnd(tiers), ...given };
  const insert = ctx.db
    .insert(tiers)
    .values({ ...values, draftKey, createdAt: ctx.now, updatedAt: ctx.now })
    .returning();
  const [[row], takenBack] = await refusingTakenName(() =>
    refusingTakenKey(tiers, () => ctx.db.batch([insert, takeBackIfFull(ctx, room)])),
  );
  requireRoom(room, takenBack);
  return toEditableTier(row!);
}

/**
 * Changes the given fields.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid`; `conflict` for a name in use, or when it was changed elsewhere
 * since `basedOn`
 */
export async function updateTier(ctx: Context, id: number, input: TierChange): Promise<EditableTier> {
  requireCapability("audience", ctx);
  const { basedOn, ...change } = parseInput(TierChange, input);
  const row = await readTierRow(ctx, id);
  if (isRepeated({ basedOn, stored: row, given: () => change, changedElsewhere })) return toEditableTier(row);
  const [updated] = await refusingTakenName(async () =>
    ctx.db
      .update(tiers)
      .set({ ...change, updatedAt: laterThan(row.updatedAt, ctx.now) })
      .where(and(eq(tiers.id, id), eq(tiers.updatedAt, row.updatedAt)))
      .returning(),
  );
  if (!updated) throw changedElsewhere();
  return toEditableTier(updated);
}

/**
 * Deletes a tier without members.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` for a tier with members
 */
export async function deleteTier(ctx: Context, id: number) {
  requireCapability("audience", ctx);
  const hasMembers = sql`exists (select 1 from ${members} where ${members.tierId} = ${id})`;
  const [deleted] = await ctx.db
    .delete(tiers)
    .where(and(eq(tiers.id, id), sql`not ${hasMembers}`))
    .returning({ id: tiers.id });
  if (deleted) return;
  const { name } = await readTierRow(ctx, id);
  throw new AppError("conflict", `“${name}” has members. Give them another tier first.`);
}

/**
 * Numbers the tiers from 1 in the given order.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `conflict` if tiers were added or deleted in between
 */
export async function reorderTiers(ctx: Context, input: TierOrder) {
  requireCapability("audience", ctx);
  const { ids } = parseInput(TierOrder, input);
  return numberInOrder(ctx, { table: tiers, noun: "tiers", tag: "tiers", ids }, listTiers);
}

const changedElsewhere = () =>
  new AppError("conflict", "This tier was changed elsewhere since you opened it.");
