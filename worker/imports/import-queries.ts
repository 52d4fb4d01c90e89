import { and, asc, desc, eq, gt, inArray, ne } from "drizzle-orm";
import { isAllowed, requireCapability } from "#worker/access/capabilities.ts";
import {
  ImportListQuery,
  ItemListQuery,
  type ImportedItem,
  PLANNING,
  type ImportProgress,
} from "#worker/imports/contract.ts";
import { importKinds } from "#worker/imports/registry.ts";
import { progressColumns, toProgress } from "#worker/imports/progress.ts";
import { importItems, imports } from "#worker/imports/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { olderThanId, pageOf } from "#worker/platform/data/keyset.ts";

const LIST_ROWS = 20;
const ITEM_ROWS = 50;

export const importNotFound = () => new AppError("not_found", "There is no such import.");

const isPlanned = ne(imports.state, PLANNING);

/**
 * The imports of the kinds that one may import, newest first. `before` is the previous page's `next`.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `not_found` for a malformed cursor
 */
export async function listImports(ctx: Context, query: ImportListQuery) {
  requireCapability("edit", ctx);
  const { before, kind: only } = parseInput(ImportListQuery, query);
  const kinds = Object.keys(importKinds).filter((name) => isAllowed(importKinds[name]!.capability, ctx));
  const rows = await ctx.db
    .select(progressColumns)
    .from(imports)
    .where(
      and(
        inArray(imports.kind, only === undefined ? kinds : kinds.filter((name) => name === only)),
        isPlanned,
        before === undefined ? undefined : olderThanId(before, imports.id),
      ),
    )
    .orderBy(desc(imports.id))
    .limit(LIST_ROWS + 1);
  return pageOf(rows.map(toProgress), LIST_ROWS, ({ id }) => String(id));
}

/**
 * The progress of an import; one row, because it is requested every few seconds.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readImport(ctx: Context, id: number): Promise<ImportProgress> {
  requireCapability("edit", ctx);
  const [row] = await ctx.db
    .select(progressColumns)
    .from(imports)
    .where(and(eq(imports.id, id), isPlanned));
  if (!row) throw importNotFound();
  requireKind(ctx, row.kind);
  return toProgress(row);
}

/** The id of an import of this kind that runs or is paused; null if there is none. */
export async function findStarted({ db }: Context, kind: string): Promise<number | null> {
  const [row] = await db
    .select({ id: imports.id })
    .from(imports)
    .where(and(eq(imports.kind, kind), inArray(imports.state, ["running", "paused"])))
    .limit(1);
  return row?.id ?? null;
}

/**
 * The details of an import of this kind.
 * @throws `unauthenticated`, `forbidden`; `not_found`, also for another kind
 */
export async function readDetails(ctx: Context, id: number, kind: string): Promise<unknown> {
  requireKind(ctx, kind);
  const [row] = await ctx.db
    .select({ details: imports.details })
    .from(imports)
    .where(and(eq(imports.id, id), eq(imports.kind, kind)));
  if (!row) throw importNotFound();
  return row.details;
}

/**
 * The items of an import in their order, all or those in a state. `before` is the previous page's `next`.
 * @throws `unauthenticated`, `forbidden`; `not_found`, also for a malformed cursor; `invalid`
 */
export async function listItems(ctx: Context, importId: number, query: ItemListQuery = {}) {
  requireCapability("edit", ctx);
  const [, items] = await Promise.all([readImport(ctx, importId), selectItems(ctx, importId, query)]);
  return pageOf(items, ITEM_ROWS, ({ id }) => String(id));
}

async function selectItems(ctx: Context, importId: number, query: ItemListQuery) {
  const { before, state } = parseInput(ItemListQuery, query);
  if (before !== undefined && !/^\d{1,15}$/.test(before))
    throw new AppError("not_found", "There is no such page of the list.");
  const rows = await ctx.db
    .select({
      id: importItems.id,
      key: importItems.key,
      title: importItems.title,
      state: importItems.state,
      message: importItems.message,
      result: importItems.result,
      attempts: importItems.attempts,
      size: importItems.size,
      moved: importItems.moved,
      settledAt: importItems.settledAt,
    })
    .from(importItems)
    .where(
      and(
        eq(importItems.importId, importId),
        state === undefined ? undefined : eq(importItems.state, state),
        before === undefined ? undefined : gt(importItems.id, Number(before)),
      ),
    )
    .orderBy(asc(importItems.id))
    .limit(ITEM_ROWS + 1);
  return rows.map((row): ImportedItem => ({ ...row, settledAt: row.settledAt?.getTime() ?? null }));
}

/**
 * Checks that the user may change an import of this kind.
 * @throws `unauthenticated`, `forbidden`; `invalid` for an unknown kind
 */
export function requireKind(ctx: Context, name: string) {
  const kind = Object.hasOwn(importKinds, name) ? importKinds[name] : undefined;
  if (!kind) throw new AppError("invalid", "There is no such kind of import.", { field: "kind" });
  requireCapability(kind.capability, ctx);
  return kind;
}
