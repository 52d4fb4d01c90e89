import { and, eq, sql } from "drizzle-orm";
import { renderedColumns } from "#worker/press/noun.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import { findEmbedded } from "#worker/files/pictures/markdown-images.ts";
import { changed } from "#worker/platform/data/changes.ts";
import type { Context } from "#worker/platform/context.ts";
import { draftKeyOf, findByDraftKey, refusingTakenKey } from "#worker/platform/data/draft-key.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { laterThan } from "#worker/platform/data/publishing.ts";
import { isRepeated } from "#worker/platform/data/versions.ts";
import { NewPressItem, PressChange, pressDefaults, type EditablePressItem } from "#worker/press/contract.ts";
import { pressItemNotFound, readPressRow, toEditable } from "#worker/press/owner-queries.ts";
import { pressItems } from "#worker/press/table.ts";

/**
 * Creates an item. Idempotent by `draftKey`: a repeated request changes the same item.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `conflict` if a concurrent request is creating it
 */
export async function createPressItem(ctx: Context, input: NewPressItem): Promise<EditablePressItem> {
  requireCapability("edit", ctx);
  const { draftKey: key, ...given } = parseInput(NewPressItem, input);
  const draftKey = draftKeyOf(ctx, key);
  const made = await findByDraftKey(ctx, pressItems, draftKey);
  if (made !== null) return updatePressItem(ctx, made, given);
  const { date, content, ...item } = { ...pressDefaults, ...given };
  const insert = ctx.db
    .insert(pressItems)
    .values({
      ...item,
      content,
      ...renderedColumns({ content }, await findEmbedded(ctx, content)),
      date: new Date(date),
      draftKey,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .returning();
  const [[created]] = await refusingTakenKey(pressItems, () =>
    ctx.db.batch([insert, ...changedIf(ctx, item.published)]),
  );
  return toEditable(created!);
}

/**
 * Changes the given fields. `basedOn` is the `updatedAt` that the change was made from.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid`; `conflict` when the item was changed elsewhere since
 * `basedOn`
 */
export async function updatePressItem(
  ctx: Context,
  id: number,
  input: PressChange,
): Promise<EditablePressItem> {
  requireCapability("edit", ctx);
  const { basedOn, date, content, ...rest } = parseInput(PressChange, input);
  const row = await readPressRow(ctx, id);
  const change = {
    ...rest,
    ...(content !== undefined && {
      content,
      ...renderedColumns({ content }, await findEmbedded(ctx, content)),
    }),
    ...(date !== undefined && { date: new Date(date) }),
  };
  if (isRepeated({ basedOn, stored: row, given: change, changedElsewhere })) return toEditable(row);
  const update = ctx.db
    .update(pressItems)
    .set({ ...change, updatedAt: laterThan(row.updatedAt, ctx.now) })
    .where(and(eq(pressItems.id, id), eq(pressItems.updatedAt, row.updatedAt)))
    .returning();
  const isSeen = row.published || change.published === true;
  const [[updated]] = await ctx.db.batch([update, ...changedIf(ctx, isSeen)]);
  if (!updated) throw changedElsewhere();
  return toEditable(updated);
}

/**
 * Deletes an item. The daily sweep deletes the pictures of its text.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function deletePressItem(ctx: Context, id: number) {
  requireCapability("edit", ctx);
  const isIt = eq(pressItems.id, id);
  const seen = sql`select 'press' as tag from ${pressItems} where ${isIt} and ${pressItems.published}`;
  const remove = ctx.db.delete(pressItems).where(isIt).returning({ id: pressItems.id });
  const [, [deleted]] = await ctx.db.batch([changed(ctx, seen), remove]);
  if (!deleted) throw pressItemNotFound();
}

/** The statement that expires the cached answers, if visitors see the item before or after. */
const changedIf = (ctx: Context, isSeen: boolean) => (isSeen ? [changed(ctx, "press")] : []);

const changedElsewhere = () =>
  new AppError("conflict", "This media item was changed elsewhere since you opened it.");
