import { requireCapability } from "#worker/access/capabilities.ts";
import type { ItemListQuery } from "#worker/imports/contract.ts";
import { findStarted, listItems, readImport } from "#worker/imports/import-queries.ts";
import { itemsWithResult } from "#worker/imports/items.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import {
  COMPARED,
  DURING_RESTORE,
  RESTORE,
  type ComparedFiles,
  type Comparison,
  type RestoreReport,
  type RestoreState,
} from "#worker/restores/contract.ts";
import { whyNotEmpty } from "#worker/restores/is-empty.ts";

/** @throws `unauthenticated`, `forbidden` */
export async function readRestoreState(ctx: Context): Promise<RestoreState> {
  requireCapability("restore", ctx);
  const reason = await whyNotEmpty(ctx);
  return { isEmpty: reason === null, reason };
}

/**
 * The restore that runs or is paused; null if there is none. While there is one, the site has only a part of its rows: the API
 * of the admin area refuses all other writes (`refuseDuringRestore`), and the crons neither publish, send nor delete
 * (`worker/jobs.ts`).
 */
export const findStartedRestore = (ctx: Context) => findStarted(ctx, RESTORE);

/** @throws `conflict` during a restore */
export async function requireNoRestore(ctx: Context) {
  if ((await findStartedRestore(ctx)) !== null) throw new AppError("conflict", DURING_RESTORE);
}

/**
 * A restore, a page of its steps, and what they have found so far.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid`
 */
export async function readRestore(ctx: Context, id: number, query: ItemListQuery) {
  requireCapability("restore", ctx);
  const [progress, items, compared, pieces] = await Promise.all([
    readImport(ctx, id),
    listItems(ctx, id, query),
    itemsWithResult(ctx, id, "compare-*"),
    itemsWithResult(ctx, id, "piece-*"),
  ]);
  if (progress.kind !== RESTORE) throw new AppError("not_found", "There is no such restore.");
  return { progress, items, report: reportOf(compared, pieces) };
}

type Found = Awaited<ReturnType<typeof itemsWithResult>>;

/** Earlier versions stored the number of the other files. */
function filesIn(result: string): ComparedFiles {
  const found = JSON.parse(result) as ComparedFiles | number;
  return typeof found === "number" ? { other: found, unread: 0 } : found;
}

/** Results in the reports of earlier versions. */
const FORMER: Record<string, Comparison> = { "0": "different", "1": "same" };

function reportOf(compared: Found, pieces: Found): RestoreReport {
  const those = (wanted: Comparison) =>
    compared
      .filter(({ result }) => (FORMER[result!] ?? result) === wanted)
      .map(({ title, message }) => ({ table: title.replace(COMPARED, ""), message: message ?? "" }));
  return {
    tables: compared.length,
    expected: those("expected"),
    different: those("different"),
    files: pieces
      .map(({ result }) => filesIn(result!))
      .reduce((sum, { other, unread }) => ({ other: sum.other + other, unread: sum.unread + unread }), {
        other: 0,
        unread: 0,
      }),
  };
}
