import { and, desc, eq, gte, inArray } from "drizzle-orm";
import { isAllowed, requireCapability } from "#worker/access/capabilities.ts";
import { BIN_DAYS, binCapabilities, binKinds, type BinItem } from "#worker/bin/contract.ts";
import { bin } from "#worker/bin/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { olderThanId, pageOf } from "#worker/platform/data/keyset.ts";

const LIST_ROWS = 30;
export const BIN_MS = BIN_DAYS * 86_400_000;

const kindsFor = (ctx: Context) => binKinds.filter((kind) => isAllowed(binCapabilities[kind], ctx));

/**
 * The deleted items of the kinds that the user may delete, latest first. `before` is the previous page's `next`.
 * @throws `unauthenticated`, `forbidden`; `not_found` for a malformed cursor
 */
export async function listBin(ctx: Context, { before }: { before?: string } = {}) {
  requireCapability("edit", ctx);
  const rows = await ctx.db
    .select({
      id: bin.id,
      key: bin.key,
      kind: bin.kind,
      title: bin.title,
      deletedBy: bin.deletedBy,
      deletedAt: bin.deletedAt,
    })
    .from(bin)
    .where(
      and(inArray(bin.kind, kindsFor(ctx)), before === undefined ? undefined : olderThanId(before, bin.id)),
    )
    .orderBy(desc(bin.id))
    .limit(LIST_ROWS + 1);
  const { items, next } = pageOf(rows, LIST_ROWS, ({ id }) => String(id));
  return { items: items.map(toBinItem), next };
}

/** Whether an item was deleted since this time, and is in the bin. */
export async function isInBinSince({ db }: Context, key: string, since: Date) {
  const rows = await db
    .select({ key: bin.key })
    .from(bin)
    .where(and(eq(bin.key, key), gte(bin.deletedAt, since)));
  return rows.length > 0;
}

const toBinItem = ({
  id: _id,
  deletedAt,
  ...row
}: Omit<BinItem, "deletedAt" | "endsAt"> & { id: number; deletedAt: Date }): BinItem => ({
  ...row,
  deletedAt: deletedAt.getTime(),
  endsAt: deletedAt.getTime() + BIN_MS,
});
