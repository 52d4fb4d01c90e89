import { requireCapability } from "#worker/access/capabilities.ts";
import type { ItemListQuery } from "#worker/imports/contract.ts";
import { findStarted, listItems, readImport } from "#worker/imports/import-queries.ts";
import { sumOfResults } from "#worker/imports/items.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { RESTORE, type RestoreReport, type RestoreState } from "#worker/restores/contract.ts";
import { whyNotEmpty } from "#worker/restores/is-empty.ts";

/** @throws `unauthenticated`, `forbidden` */
export async function readRestoreState(ctx: Context): Promise<RestoreState> {
  requireCapability("restore", ctx);
  const reason = await whyNotEmpty(ctx);
  return { isEmpty: reason === null, reason };
}

/**
 * A restore, a page of its steps, and what they have found so far.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid`
 */
export async function readRestore(ctx: Context, id: number, query: ItemListQuery) {
  requireCapability("restore", ctx);
/**
 * The restore that runs or is paused; null if there is none. While there is one, the site has only a part of its rows: the API
 * of the admin area refuses all other writes (`refuseDuringRestore`), and the crons neither publish, send nor delete
 * (`worker/jobs.ts`).
 */
export const findStartedRestore = (ctx: Context) => findStarted(ctx, RESTORE);

  const [progress, items, results] = await Promise.all([
    readImport(ctx, id),
    listItems(ctx, id, query),
    sumOfResults(ctx, id),
  ]);
  if (progress.kind !== RESTORE) throw new AppError("not_found", "There is no such restore.");
  const compared = results.get("compare") ?? { items: 0, result: 0 };
  const report: RestoreReport = {
    tables: compared.items,
    otherTables: compared.items - compared.result,
    otherFiles: results.get("piece")?.result ?? 0,
  };
  return { progress, items, report };
}
