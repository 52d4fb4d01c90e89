import { eq } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { image } from "#worker/files/library/joins.ts";
import { findStoredFiles, requireStoredFile } from "#worker/files/stored.ts";
import { shortList } from "#worker/nouns/short-list.ts";
import type { Context } from "#worker/platform/context.ts";
import { wholeList } from "#worker/platform/data/keyset.ts";
import { placeAtEnd, readPlaceAtEnd } from "#worker/platform/data/order.ts";
import {
  MOST_VENTURES,
  NewVenture,
  VentureChange,
  ventureDefaults,
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
 * The initial values of a new venture's form.
 * @throws `unauthenticated`, `forbidden`
 */
export async function readNewVenture(ctx: Context): Promise<VentureInput> {
  requireCapability("edit", ctx);
  return { name: "", description: "", ...ventureDefaults, sortOrder: await readPlaceAtEnd(ctx, ventures) };
}

/** The daily sweep deletes the picture of a deleted venture. */
export const ventureList = shortList({
  table: ventures,
  one: "venture",
  tag: "ventures",
  shown: { column: "active", value: true },
  limit: { most: MOST_VENTURES, noun: "ventures" },
  New: NewVenture,
  Change: VentureChange,
  defaults: { ...ventureDefaults, sortOrder: placeAtEnd(ventures) },
  async requireGiven(ctx, { imageFileId = null }) {
    if (imageFileId !== null) await requireStoredFile(ctx, imageFileId, "image", "imageFileId");
  },
  readAround: (ctx, { imageFileId }) => findStoredFiles(ctx, imageFileId ? [imageFileId] : []),
  toEdited: (_ctx, values, files) => ({ values, image: files.get(values.imageFileId ?? "") ?? null }),
});

export const readVentureForEdit = ventureList.readForEdit;
