import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { numberInOrder } from "#worker/platform/data/order.ts";
import { VentureOrder } from "#worker/ventures/contract.ts";
import { listVentures, ventureList } from "#worker/ventures/owner-queries.ts";
import { ventures } from "#worker/ventures/table.ts";

export const createVenture = ventureList.create;
export const updateVenture = ventureList.update;
export const deleteVenture = ventureList.remove;

/**
 * Numbers the ventures from 1 in the given order.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `conflict` if ventures were added or deleted in between
 */
export async function reorderVentures(ctx: Context, input: VentureOrder) {
  requireCapability("edit", ctx);
  const { ids } = parseInput(VentureOrder, input);
  return numberInOrder(ctx, { table: ventures, noun: "ventures", tag: "ventures", ids }, listVentures);
}
