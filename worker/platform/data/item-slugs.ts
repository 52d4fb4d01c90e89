import { sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Context } from "#worker/platform/context.ts";
import { firstFree, slugOf } from "#worker/platform/text/slug.ts";

/**
 * The slugs of a publishable table: the current ones, which are unique, and the former ones, at which rows were public.
 * A former slug redirects as long as no published row has it. A draft that was never public yields its slug to a row
 * that needs it, unless the owner chose it.
 */
export type ItemSlugs = {
  id: SQLiteColumn;
  slug: SQLiteColumn;
  status: SQLiteColumn;
  updatedAt: SQLiteColumn;
  /** The slugs of deleted rows that can be restored: no other row gets them. */
  reserved: SQLiteColumn;
  /** The table's columns, in this order. */
  former: { slug: SQLiteColumn; owner: SQLiteColumn; leftAt: SQLiteColumn };
  /** SQL: whether the row is a draft that yields its slug. */
  givesWay: SQL;
};

type Row = { id: number; slug: string; updatedAt: Date };

export type SlugChoice = {
  /** The stored row; absent for a new one. */
  row?: Row;
  /** Empty: derived from the title. */
  given: string;
  title: string;
  status: string;
  /** The fallback for a title without words. */
  today: () => Promise<string>;
};

/**
 * The slug for a row, and the statement to run before its write: it renames a draft that yields this slug. A draft's
 * own title never takes a slug from another draft.
 */
export async function chooseSlug(
  ctx: Context,
  slugs: ItemSlugs,
  { row, given, title, status, today }: SlugChoice,
) {
  const base = given || (await slugOf(title)) || (await today());
  const wanted = given || titleSlug(slugs, { base, rowId: row?.id ?? 0, holds: status !== "draft" });
  return {
    // Another write may have renamed the row since it was read.
    slug: row && given === row.slug ? sql<string>`${slugs.slug}` : wanted,
    way: makeWay(ctx, slugs, { row, wanted, base }),
  };
}

/** SQL: the slug derived from a title. `holds`: the slugs of yielding drafts count as free. */
function titleSlug(
  { id, slug, reserved, former, givesWay }: ItemSlugs,
  { base, rowId, holds }: { base: string; rowId: number; holds: boolean },
) {
  const stays = holds ? sql`and not ${givesWay}` : sql``;
  return firstFree(
    base,
    sql`exists (select 1 from ${id.table} where ${slug} = numbered.slug and ${id} <> ${rowId} ${stays})
      or exists (select 1 from ${reserved.table} where ${reserved} = numbered.slug)
      or exists (select 1 from ${former.slug.table} where ${former.slug} = numbered.slug and ${former.owner} <> ${rowId})`,
  );
}

/** Numbers the other draft's new slug from `base`. Does nothing if the row changed since it was read. */
function makeWay(
  { db }: Context,
  { id, slug, updatedAt, reserved, former, givesWay }: ItemSlugs,
  { row, wanted, base }: { row: Row | undefined; wanted: string | SQL; base: string },
) {
  const isTaken = sql`numbered.slug = ${wanted}
    or exists (select 1 from ${id.table} where ${slug} = numbered.slug)
    or exists (select 1 from ${reserved.table} where ${reserved} = numbered.slug)
    or exists (select 1 from ${former.slug.table} where ${former.slug} = numbered.slug)`;
  const isCurrent = row
    ? sql`and ${id} <> ${row.id}
        and exists (select 1 from ${id.table} where ${id} = ${row.id} and ${updatedAt} = ${row.updatedAt.getTime()})`
    : sql``;
  return db
    .update(slug.table as SQLiteTable & { slug: SQLiteColumn })
    .set({ slug: firstFree(base, isTaken) })
    .where(sql`${slug} = ${wanted} and ${givesWay} ${isCurrent}`);
}

/** The statement that stores the slug that a row had while it was published, if it has another one now. */
export const keepFormerSlug = (
  { db, now }: Context,
  { id, slug, status, former }: ItemSlugs,
  rowId: number,
  formerSlug: string,
) => {
  const leftAt = sql.identifier(former.leftAt.name);
  return db.insert(former.slug.table).select(
    sql`select ${formerSlug}, ${id}, ${now.getTime()} from ${id.table}
      where ${id} = ${rowId} and (${slug} <> ${formerSlug} or ${status} <> 'published')
      on conflict (slug, ${sql.identifier(former.owner.name)}) do update set ${leftAt} = excluded.${leftAt}`,
  );
};

/** The statement that removes a public row's current slug from its former ones. */
export const reclaimSlug = ({ db }: Context, { id, slug, status, former }: ItemSlugs, which: SQL) =>
  db
    .delete(former.slug.table)
    .where(
      sql`(${former.slug}, ${former.owner}) in (select ${slug}, ${id} from ${id.table} where ${which} and ${status} = 'published')`,
    );

/**
 * SQL, for a former slug joined with its row: whether the slug redirects to this row. Of several rows that had it, a
 * published one wins, then the latest. None does while a published row has the slug.
 */
export const redirects = ({ id, slug, status, former }: ItemSlugs) => {
  const name = (column: SQLiteColumn) => sql.identifier(column.name);
  const rank = (rows: string, leavings: string) =>
    sql`(${sql.identifier(rows)}.${name(status)} = 'published', ${sql.identifier(leavings)}.${name(former.leftAt)},
      ${sql.identifier(rows)}.${name(id)})`;
  return sql`${slug} <> ${former.slug}
    and not exists (select 1 from ${id.table} as present
      where present.${name(slug)} = ${former.slug} and present.${name(status)} = 'published')
    and not exists (select 1 from ${former.slug.table} as later
      inner join ${id.table} as other on other.${name(id)} = later.${name(former.owner)}
      where later.${name(former.slug)} = ${former.slug} and other.${name(slug)} <> ${former.slug}
        and ${rank("other", "later")} > (${status} = 'published', ${former.leftAt}, ${id}))`;
};
