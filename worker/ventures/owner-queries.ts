import { eq } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { image } from "#worker/files/library/joins.ts";
import { findStoredFiles } from "#worker/files/stored.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { wholeList } from "#worker/platform/data/keyset.ts";
import { readPlaceAtEnd } from "#worker/platform/data/order.ts";
import {
  ventureDefaults,
  type EditableVenture,
  type VentureInput,
  type VentureRow,
} from "#worker/ventures/contract.ts";
import { inOrder, toVenture, ventureColumns } from "#worker/ventures/queries.ts";
import { ventures } from "#worker/ventures/table.ts";

/**
 * Every venture in the owner's order, active or not. There are at most `MOST_VENTURES`, so there is one page.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listVentures(ctx: Context) {
  requireCapability("edit", ctx);
  const rows = await ctx.db
    .select({ ...ventureColumns, active: ventures.active, sortOrder: ventures.sortOrder })
    .from(ventures)
    .leftJoin(image, eq(image.id, ventures.imageFileId))
    .orderBy(...inOrder);
  return wholeList(rows.map((row): VentureRow => toVenture(row)));
}

/**
 * A venture as its owner edits it, with its picture.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readVentureForEdit(ctx: Context, id: number): Promise<EditableVenture> {
  requireCapability("edit", ctx);
  return toEditable(ctx, await readVentureRow(ctx, id));
}

/**
 * The initial values of a new venture's form.
 * @throws `unauthenticated`, `forbidden`
 */
export async function readNewVenture(ctx: Context): Promise<VentureInput> {
  requireCapability("edit", ctx);
  return { name: "", description: "", ...ventureDefaults, sortOrder: await readPlaceAtEnd(ctx, ventures) };
}

type VentureColumns = typeof ventures.$inferSelect;

export async function toEditable(
  ctx: Context,
  { id, draftKey: _key, createdAt: _created, updatedAt, ...values }: VentureColumns,
): Promise<EditableVenture> {
  const { imageFileId } = values;
  const stored = imageFileId === null ? undefined : await findStoredFiles(ctx, [imageFileId]);
  return { id, updatedAt: updatedAt.getTime(), values, image: stored?.get(imageFileId ?? "") ?? null };
}

/** @throws `not_found` */
export async function readVentureRow({ db }: Context, id: number): Promise<VentureColumns> {
  const [row] = await db.select().from(ventures).where(eq(ventures.id, id));
  if (!row) throw ventureNotFound();
  return row;
}

export const ventureNotFound = () => new AppError("not_found", "There is no such venture.");
