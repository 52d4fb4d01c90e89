import { requireCapability } from "#worker/access/capabilities.ts";
import type { ItemListQuery } from "#worker/imports/contract.ts";
import { listItems, readImport } from "#worker/imports/import-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { RESTORE, type RestoreState } from "#worker/restores/contract.ts";
import { whyNotEmpty } from "#worker/restores/is-empty.ts";

/** @throws `unauthenticated`, `forbidden` */
export async function readRestoreState(ctx: Context): Promise<RestoreState> {
  requireCapability("restore", ctx);
  const reason = await whyNotEmpty(ctx);
  return { isEmpty: reason === null, reason };
}

/**
 * A restore and a page of its steps.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid`
 */
export async function readRestore(ctx: Context, id: number, query: ItemListQuery) {
  requireCapability("restore", ctx);
  const [progress, items] = await Promise.all([readImport(ctx, id), listItems(ctx, id, query)]);
  if (progress.kind !== RESTORE) throw new AppError("not_found", "There is no such restore.");
  return { progress, items };
}
