import { and, desc, eq, lte, not, sql, type SQLWrapper } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Capability } from "#worker/access/contract.ts";
import { isInBin } from "#worker/bin/is-in-bin.ts";
import { capabilityOf } from "#worker/pages/contract.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { olderThanId, pageOf } from "#worker/platform/data/keyset.ts";
import { prepared } from "#worker/platform/data/prepared.ts";
import type { Revision, RevisionKind, RevisionWithValues } from "#worker/revisions/contract.ts";
import { changesBetween } from "#worker/revisions/digest.ts";
import { unpack } from "#worker/revisions/packed.ts";
import { isItem } from "#worker/revisions/record-revision.ts";
import { revisions } from "#worker/revisions/table.ts";

const LIST_ROWS = 30;

/** The capability to read an item's versions: that to edit it. */
const capabilities: Record<RevisionKind, (item: string) => Capability> = {
  article: () => "edit",
  page: capabilityOf,
  episode: () => "edit",
};

const columns = {
  id: revisions.id,
  savedAt: revisions.savedAt,
  savedBy: revisions.userName,
  isAutomatic: revisions.isAutomatic,
  restoredFrom: revisions.restoredFrom,
};

type Item = { kind: RevisionKind; item: string | number };

/** The versions of an item in the bin stay in their table, and are not shown. */
const isOf = (kind: RevisionKind, item: string | number) =>
  and(isItem(kind, String(item)), not(isInBin(revisions.kind, revisions.item)));

/**
 * An item's versions, newest first, each with what it changed. `before` is the previous page's `next`.
 * @throws `unauthenticated`, `forbidden`; `not_found` for a malformed cursor
 */
export async function listRevisions(
  ctx: Context,
  { kind, item }: Item,
  { before }: { before?: string } = {},
) {
  requireCapability(capabilities[kind](String(item)), ctx);
  const rows = await ctx.db
    .select({ ...columns, digest: revisions.digest })
    .from(revisions)
    .where(and(isOf(kind, item), before === undefined ? undefined : olderThanId(before, revisions.id)))
    .orderBy(desc(revisions.id))
    .limit(LIST_ROWS + 1);
  const listed = rows.map(({ digest, ...row }, index): Revision => {
    const former = rows[index + 1];
    return { ...withTimes(row), changes: former ? changesBetween(former.digest, digest) : null };
  });
  return pageOf(listed, LIST_ROWS, ({ id }) => String(id));
}

/**
 * One version, with what was saved.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readRevision(
  ctx: Context,
  { kind, item }: Item,
  id: number,
): Promise<RevisionWithValues> {
  requireCapability(capabilities[kind](String(item)), ctx);
  const [row] = await ctx.db
    .select({ ...columns, packed: revisions.packed })
    .from(revisions)
    .where(and(isOf(kind, item), eq(revisions.id, id)));
  if (!row) throw noLongerKept();
  const { packed, ...rest } = row;
  return { ...withTimes(rest), values: await unpack(packed) };
}

/**
 * One version, and the values of the version before it; null for the oldest stored one.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readRevisionWithFormer(ctx: Context, { kind, item }: Item, id: number) {
  requireCapability(capabilities[kind](String(item)), ctx);
  const rows = await ctx.db
    .select({ ...columns, packed: revisions.packed })
    .from(revisions)
    .where(and(isOf(kind, item), lte(revisions.id, id)))
    .orderBy(desc(revisions.id))
    .limit(2);
  const [row, former] = rows;
  if (row?.id !== id) throw noLongerKept();
  const { packed, ...rest } = row;
  const revision: RevisionWithValues = { ...withTimes(rest), values: await unpack(packed) };
  return { revision, former: former ? await unpack(former.packed) : null };
}

const noLongerKept = () => new AppError("not_found", "That version is no longer available.");

const selectLastSave = prepared(["kind", "item"], (db, { kind, item }) =>
  db
    .select({ savedBy: revisions.userName, digest: revisions.digest })
    .from(revisions)
    .where(and(eq(revisions.kind, kind), eq(revisions.item, item)))
    .orderBy(desc(revisions.id))
    .limit(1),
);

/**
 * The last editor of an item, null for a job or if unknown; and whether its slug was chosen, or is derived from its
 * title.
 */
export async function findLastSave(ctx: Context, { kind, item }: Item) {
  const [row] = await selectLastSave(ctx, { kind, item: String(item) });
  return { savedBy: row?.savedBy ?? null, hasNamedSlug: !row || "slug" in row.digest };
}

/**
 * The slug to store in a change's version: the given one, or else the current one if it was chosen. Other changes leave
 * a draft's slug derived from its title.
 */
export async function namedSlugOf(ctx: Context, item: Item, given: string | undefined, present: string) {
  if (given !== undefined) return given;
  return (await findLastSave(ctx, item)).hasNamedSlug ? present : undefined;
}

/** SQL: whether an item's slug is derived from its title, by its newest version. */
export const isSlugOpen = (kind: RevisionKind, item: SQLWrapper) => sql`coalesce((
  select json_type(${revisions.digest}, '$.slug') is null from ${revisions}
  where ${revisions.kind} = ${kind} and ${revisions.item} = cast(${item} as text)
  order by ${revisions.id} desc limit 1), 0)`;

/** SQL: the last editor of an item. */
export const lastEditorOf = (kind: RevisionKind, item: SQLWrapper) => sql<string | null>`(
  select ${revisions.userName} from ${revisions} where ${revisions.kind} = ${kind} and ${revisions.item} = ${item}
  order by ${revisions.id} desc limit 1)`;

const withTimes = <Row extends { savedAt: Date; restoredFrom: Date | null }>(row: Row) => ({
  ...row,
  savedAt: row.savedAt.getTime(),
  restoredFrom: row.restoredFrom?.getTime() ?? null,
});

/** Those of these items of a kind that have been changed since they were created: they have more than one version. */
export async function findChangedItems({ db }: Context, kind: RevisionKind, items: number[]) {
  const rows = await db
    .select({ item: revisions.item })
    .from(revisions)
    .where(
      and(
        eq(revisions.kind, kind),
        sql`${revisions.item} in (select cast(value as text) from json_each(${JSON.stringify(items)}))`,
      ),
    )
    .groupBy(revisions.item)
    .having(sql`count(*) > 1`);
  return new Set(rows.map(({ item }) => Number(item)));
}
