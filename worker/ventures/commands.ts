import { and, eq, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { requireStoredFile } from "#worker/files/stored.ts";
import { changed } from "#worker/platform/data/changes.ts";
import type { Context } from "#worker/platform/context.ts";
import { draftKeyOf, findByDraftKey, refusingTakenKey } from "#worker/platform/data/draft-key.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { numberInOrder, placeAtEnd } from "#worker/platform/data/order.ts";
import { requireRoom, takeBackIfFull } from "#worker/platform/data/row-limit.ts";
import { laterThan } from "#worker/platform/data/publishing.ts";
import { isRepeated } from "#worker/platform/data/versions.ts";
import {
  MOST_VENTURES,
  NewVenture,
  VentureChange,
  ventureDefaults,
  VentureOrder,
  type EditableVenture,
} from "#worker/ventures/contract.ts";
import { listVentures, readVentureRow, toEditable, ventureNotFound } from "#worker/ventures/owner-queries.ts";
import { ventures } from "#worker/ventures/table.ts";

/**
 * Creates a venture. Idempotent by `draftKey`: a repeated request changes the same venture.
 * @throws `unauthenticated`, `forbidden`; `invalid`, also for a picture that is not stored; `conflict` if there are
 * `MOST_VENTURES` already, or a concurrent request is creating it
 */
export async function createVenture(ctx: Context, input: NewVenture): Promise<EditableVenture> {
  requireCapability("edit", ctx);
  const { draftKey: key, ...given } = parseInput(NewVenture, input);
  const draftKey = draftKeyOf(ctx, key);
  const made = await findByDraftKey(ctx, ventures, draftKey);
  if (made !== null) return updateVenture(ctx, made, given);
  const venture = { ...ventureDefaults, sortOrder: placeAtEnd(ventures), ...given };
  await requirePicture(ctx, venture.imageFileId);
  const insert = ctx.db
    .insert(ventures)
    .values({ ...venture, draftKey, createdAt: ctx.now, updatedAt: ctx.now })
    .returning();
  const [[created], takenBack] = await refusingTakenKey(ventures, () =>
    ctx.db.batch([insert, takeBackIfFull(ctx, room), ...changedIf(ctx, venture.active)]),
  );
  requireRoom(room, takenBack);
  return toEditable(ctx, created!);
}

/**
 * Changes the given fields. `basedOn` is the `updatedAt` that the change was made from.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid` as `createVenture`; `conflict` when the venture was changed
 * elsewhere since `basedOn`
 */
export async function updateVenture(
  ctx: Context,
  id: number,
  input: VentureChange,
): Promise<EditableVenture> {
  requireCapability("edit", ctx);
  const { basedOn, ...change } = parseInput(VentureChange, input);
  const row = await readVentureRow(ctx, id);
  if (isRepeated({ basedOn, stored: row, given: change, changedElsewhere })) return toEditable(ctx, row);
  await requirePicture(ctx, change.imageFileId ?? null);
  const update = ctx.db
    .update(ventures)
    .set({ ...change, updatedAt: laterThan(row.updatedAt, ctx.now) })
    .where(and(eq(ventures.id, id), eq(ventures.updatedAt, row.updatedAt)))
    .returning();
  const isSeen = row.active || change.active === true;
  const [[updated]] = await ctx.db.batch([update, ...changedIf(ctx, isSeen)]);
  if (!updated) throw changedElsewhere();
  return toEditable(ctx, updated);
}

/**
 * Deletes a venture. The daily sweep deletes its picture.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function deleteVenture(ctx: Context, id: number) {
  requireCapability("edit", ctx);
  const seen = sql`select 'ventures' as tag from ${ventures} where ${ventures.id} = ${id} and ${ventures.active}`;
  const remove = ctx.db.delete(ventures).where(eq(ventures.id, id)).returning({ id: ventures.id });
  const [, [deleted]] = await ctx.db.batch([changed(ctx, seen), remove]);
  if (!deleted) throw ventureNotFound();
}

/**
 * Numbers the ventures from 1 in the given order.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `conflict` if ventures were added or deleted in between
 */
export async function reorderVentures(ctx: Context, input: VentureOrder) {
  requireCapability("edit", ctx);
  const { ids } = parseInput(VentureOrder, input);
  await numberInOrder(ctx, { table: ventures, noun: "ventures", tag: "ventures", ids });
  return listVentures(ctx);
}

async function requirePicture(ctx: Context, id: string | null) {
  if (id !== null) await requireStoredFile(ctx, id, "image", "imageFileId");
}

const room = { table: ventures, noun: "ventures", most: MOST_VENTURES };

/** The statement that expires the cached answers, if visitors see the venture before or after. */
const changedIf = (ctx: Context, isSeen: boolean) => (isSeen ? [changed(ctx, "ventures")] : []);

const changedElsewhere = () =>
  new AppError("conflict", "This venture was changed elsewhere since you opened it.");
