import { getTableColumns, getTableName, sql, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { requireCapability } from "#worker/access/capabilities.ts";
import { columnsOf } from "#worker/bin/facet.ts";
import { forgetBeside } from "#worker/bin/forget-beside.ts";
import { latest } from "#worker/bin/note-erased.ts";
import { bin, erased } from "#worker/bin/table.ts";
import { nouns } from "#worker/nouns/list.ts";
import type { Noun, Statement } from "#worker/nouns/noun.ts";
import type { Context } from "#worker/platform/context.ts";

export type Erased = Pick<typeof erased.$inferSelect, "kind" | "item"> & {
  /** Milliseconds UTC. */
  erasedAt: number;
};

/**
 * The list of this site.
 * @throws `unauthenticated`, `forbidden`
 */
export async function readErased(ctx: Context): Promise<Erased[]> {
  requireCapability("settings", ctx);
  const rows = await ctx.db.select().from(erased);
  return rows.map(({ erasedAt, ...row }) => ({ ...row, erasedAt: erasedAt.getTime() }));
}

/**
 * After a copy of the site was restored: erases what was erased after the copy was made. `since` is the list of the site as
 * it was before, which a copy does not have. Idempotent.
 * @throws `unauthenticated`, `forbidden`
 */
export async function applyErased(ctx: Context, since: readonly Erased[] = []) {
  requireCapability("settings", ctx);
  const list = ctx.db
    .insert(erased)
    .select(
      sql`select value ->> 'kind', value ->> 'item', value ->> 'erasedAt' from json_each(${JSON.stringify(since)}) where true`,
    )
    .onConflictDoUpdate(latest);
  await ctx.db.batch([list, ...nouns.flatMap((noun) => eraseAgain(ctx, noun))]);
}

function eraseAgain(ctx: Context, noun: Noun): Statement[] {
  const { table, bin: facet } = noun;
  if (!("id" in table)) return [];
  const which = isErased(table, getTableName(table));
  return [
    ...(noun.eraseAgain?.(ctx, isErased(table, getTableName(table), "updatedAt")) ?? [
      ...(noun.changed?.(ctx, which) ?? []),
      ...forgetBeside(ctx, noun, idsIn(table, which)),
      ctx.db.delete(table).where(which),
    ]),
    ...(facet ? [eraseInBin(ctx, facet.parts[0]!.binned, getTableName(table))] : []),
    ...(facet?.parts
      .filter(({ isApart }) => isApart)
      .map(({ table: of, binned }) => ctx.db.delete(binned).where(isErased(binned, getTableName(of)))) ?? []),
  ];
}

const idsIn = (table: SQLiteTable, which: SQL) =>
  sql`select cast(${columnsOf(table).id!} as text) as item from ${table} where ${which}`;

const eraseInBin = ({ db }: Context, binned: SQLiteTable, kind: string) =>
  db
    .delete(bin)
    .where(
      sql`${bin.id} in (select ${columnsOf(binned).binId!} from ${binned} where ${isErased(binned, kind)})`,
    );

/** SQL: a row was erased, and is not a later one with the same number, or was not changed after that. */
function isErased(table: SQLiteTable, kind: string, time: "createdAt" | "updatedAt" = "createdAt") {
  const { id, [time]: at } = getTableColumns(table);
  const item = id!.getSQLType() === "integer" ? sql`cast(${erased.item} as integer)` : sql`${erased.item}`;
  const isOlder = at ? sql`and ${at} <= ${erased.erasedAt}` : sql``;
  return sql`(${id!} in (select ${item} from ${erased} where ${erased.kind} = ${kind}) and exists (
    select 1 from ${erased} where ${erased.kind} = ${kind} and ${erased.item} = cast(${id!} as text) ${isOlder}))`;
}
