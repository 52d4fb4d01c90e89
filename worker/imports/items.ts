import { and, asc, eq, isNotNull, ne, sql } from "drizzle-orm";
import type { ImportProgress, PLANNING } from "#worker/imports/contract.ts";
import type { InterruptedItem } from "#worker/imports/import-type.ts";
import { progressColumns, toProgress } from "#worker/imports/progress.ts";
import { imports, importItems } from "#worker/imports/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** An item to be added to an import that has not started. */
export type AddedItem = {
  key: string;
  title: string;
  payload: unknown;
  /** Bytes of its files, if known. */
  size?: number;
  /** A note before the import. */
  note?: string;
  /** Why there is nothing to do. */
  skipped?: string;
};

type New = { kind: string; source: string; details?: unknown; state?: "open" | typeof PLANNING };

/** The statement that makes an import, which has no items yet. */
export function insertImport({ db, now, actor }: Context, { kind, source, details, state = "open" }: New) {
  const createdBy = actor.kind === "user" ? actor.id : actor.kind;
  const times = { createdAt: now, updatedAt: now };
  return db
    .insert(imports)
    .values({ kind, source, details, state, createdBy, ...times })
    .returning(progressColumns);
}

/** Characters of one statement's items: D1 takes two million bytes. */
const CHUNK = 300_000;

/**
 * Adds items to an import that is open or being planned, as much in a statement as D1 takes. Those with a key that is there
 * are not added. Returns the import's progress; undefined for one in another state.
 */
export async function insertItems({ db, clock }: Context, importId: number, items: AddedItem[]) {
  const mayTakeItems = sql`${imports.state} in ('open', 'planning')`;
  let added: ImportProgress | undefined;
  for (const chunk of chunksOf(items)) {
    const now = clock();
    const time = now.getTime();
    const given = (path: string) => sql`given.value ->> ${sql.raw(`'${path}'`)}`;
    const add = db
      .insert(importItems)
      .select(
        sql`select null, ${importId}, ${given("key")}, ${given("title")},
          iif(${given("skipped")} is null, 'waiting', 'skipped'), ${time}, null, 0, coalesce(${given("skipped")}, ${given("note")}), null,
          coalesce(${given("size")}, 0), 0, iif(${given("skipped")} is null, null, ${time}), null,
          given.value -> 'payload'
        from json_each(${JSON.stringify(chunk)}) as given
        where exists (select 1 from ${imports} where ${imports.id} = ${importId} and ${mayTakeItems})`,
      )
      .onConflictDoNothing();
    const count = db
      .update(imports)
      .set({ total: sql`${imports.total} + changes()`, updatedAt: now })
      .where(and(eq(imports.id, importId), mayTakeItems))
      .returning(progressColumns);
    const [, [open]] = await db.batch([add, count]);
    if (!open) return undefined;
    added = toProgress(open);
  }
  return added;
}

/** The rows and bytes of the pieces of each file, as their payloads name them. */
export async function sumOfItems({ db }: Context, importId: number) {
  const of = sql<string>`${importItems.payload} ->> 'of'`;
  const sums = await db
    .select({
      of,
      rows: sql<number>`sum(${importItems.payload} ->> 'rows')`,
      bytes: sql<number>`sum(${importItems.payload} ->> 'bytes')`,
    })
    .from(importItems)
    .where(and(eq(importItems.importId, importId), sql`${of} is not null`))
    .groupBy(of);
  return new Map(sums.map((sum) => [sum.of, sum]));
}

/** The payloads of the pieces of a file, in their order, the first ones if there is a limit. */
export async function payloadsOf({ db }: Context, importId: number, file: string, limit = -1) {
  const rows = await db
    .select({ payload: importItems.payload })
    .from(importItems)
    .where(and(eq(importItems.importId, importId), sql`${importItems.payload} ->> 'of' = ${file}`))
    .orderBy(asc(importItems.id))
    .limit(limit);
  return rows.map(({ payload }) => payload);
}

/** The payload of an item; undefined without one. */
export async function payloadAt({ db }: Context, importId: number, key: string) {
  const [row] = await db
    .select({ payload: importItems.payload })
    .from(importItems)
    .where(and(eq(importItems.importId, importId), eq(importItems.key, key)));
  return row?.payload;
}

/** The items with such keys (a pattern of GLOB) that are done and have a result, in their order. */
export const itemsWithResult = ({ db }: Context, importId: number, keys: string) =>
  db
    .select({ title: importItems.title, message: importItems.message, result: importItems.result })
    .from(importItems)
    .where(
      and(
        eq(importItems.importId, importId),
        sql`${importItems.key} glob ${sql.raw(`'${keys}'`)}`,
        eq(importItems.state, "done"),
        isNotNull(importItems.result),
      ),
    )
    .orderBy(asc(importItems.id));

function* chunksOf(items: AddedItem[]) {
  let chunk: AddedItem[] = [];
  let size = 0;
  for (const item of items) {
    const length = JSON.stringify(item).length;
    if (chunk.length > 0 && size + length > CHUNK) {
      yield chunk;
      [chunk, size] = [[], 0];
    }
    chunk.push(item);
    size += length;
  }
  if (chunk.length > 0) yield chunk;
}

/** Whether another import of the same article has recorded that it created it. */
export async function isOfAnotherItem(
  { db }: Context,
  kind: string,
  { id, key }: Pick<InterruptedItem, "id" | "key">,
  result: number,
) {
  const [other] = await db
    .select({ id: importItems.id })
    .from(imports)
    .innerJoin(importItems, eq(importItems.importId, imports.id))
    .where(
      and(
        eq(imports.kind, kind),
        eq(importItems.key, key),
        eq(importItems.result, String(result)),
        ne(importItems.state, "skipped"),
        ne(importItems.id, id),
      ),
    )
    .limit(1);
  return other !== undefined;
}
