import { and, sql, type SQL } from "drizzle-orm";
import type { BinPart } from "#worker/bin/facet.ts";
import { bin, storedColumnsOf } from "#worker/bin/table.ts";
import { filesOf } from "#worker/files/library/references.ts";
import type { Noun, Statement } from "#worker/nouns/noun.ts";
import type { Context } from "#worker/platform/context.ts";
import { RENDERER_VERSION } from "#worker/platform/text/markdown.ts";
import { feedChanged } from "#worker/publications/record-publication.ts";

type Deletion = {
  /** SQL: only if the item fulfils it. */
  only?: SQL;
  /** Further statements of the batch, before the item is deleted. */
  before?: readonly Statement[];
};

/**
 * Deletes an item into the bin, with all that belongs to it, and expires what shows it. What is found through the item
 * alone remains in its tables: its versions, its publication and its preview link. Returns whether there was one.
 */
export async function moveToBin(
  ctx: Context,
  noun: Noun,
  item: string | number,
  { only, before = [] }: Deletion = {},
) {
  const { parts } = facetOf(noun);
  const id = String(item);
  const isIt = and(parts[0]!.of(id), only)!;
  const news = noun.inFeed && feedChanged(ctx, noun.inFeed(isIt));
  const remove = ctx.db
    .delete(noun.table)
    .where(isIt)
    .returning({ one: sql`1` });
  const statements = [
    ...(noun.changed?.(ctx, isIt) ?? []),
    ...(news?.statements ?? []),
    ...before,
    insertEntry(ctx, noun, id, isIt),
    ...parts.flatMap((part) => [
      copy(ctx, noun, part, id),
      ...(part.isApart ? [removeApart(ctx, part, id)] : []),
    ]),
    remove,
  ];
  const results = (await ctx.db.batch(statements as unknown as [typeof remove])) as unknown[][];
  if (results.at(-1)!.length === 0) return false;
  news?.enqueue();
  return true;
}

/** The key of an item in the bin. */
export const keyOf = (noun: Noun, item: string | number) => `${facetOf(noun).kind}:${item}`;

export function facetOf({ bin: facet }: Noun) {
  if (!facet) throw new Error("This noun has no bin.");
  return facet;
}

function insertEntry(ctx: Context, noun: Noun, item: string, isIt: SQL) {
  const { kind } = facetOf(noun);
  const by = ctx.actor.kind === "user" ? ctx.actor.fullName : null;
  return ctx.db.insert(bin).select(
    sql`select null, ${keyOf(noun, item)}, ${kind}, ${titleOf(noun)}, ${ctx.now.getTime()}, ${by},
      ${filesOf(noun, item)}, ${RENDERER_VERSION} from ${noun.table} where ${isIt}`,
  );
}

const titleOf = ({ table, title }: Noun) => sql`${Reflect.get(table, title!)}`;

/** Does nothing if the item was not entered. */
function copy({ db }: Context, noun: Noun, { table, binned, of }: BinPart, item: string) {
  const columns = storedColumnsOf(table).map(([, column]) => column);
  return db.insert(binned).select(
    sql`select ${bin.id}, ${sql.join(columns, sql`, `)} from ${table}
      inner join ${bin} on ${bin.key} = ${keyOf(noun, item)} where ${of(item)}`,
  );
}

function removeApart({ db }: Context, { table, of }: BinPart, item: string) {
  return db.delete(table).where(of(item));
}
