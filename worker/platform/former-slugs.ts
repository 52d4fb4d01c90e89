import { sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Context } from "#worker/platform/context.ts";

/** A noun's ids and slugs, and the table of the slugs that its rows had before. */
export type FormerSlugs = {
  id: SQLiteColumn;
  slug: SQLiteColumn;
  /** The table's columns, in this order. */
  former: { slug: SQLiteColumn; owner: SQLiteColumn };
};

/** The statement that remembers a slug which a row no longer has; null, which equals nothing, is not remembered. */
export const keepFormerSlug = (
  { db }: Context,
  { id, slug, former }: FormerSlugs,
  rowId: number,
  formerSlug: string | null,
) => {
  const owner = sql.identifier(former.owner.name);
  return db.insert(former.slug.table).select(
    sql`select ${formerSlug}, ${id} from ${id.table} where ${id} = ${rowId} and ${slug} <> ${formerSlug}
      on conflict (slug) do update set ${owner} = excluded.${owner}`,
  );
};

/** The statement after which the slugs that these rows have lead nowhere else. */
export const reclaimSlugs = ({ db }: Context, { id, slug, former }: FormerSlugs, which: SQL) =>
  db.delete(former.slug.table).where(sql`${former.slug} in (select ${slug} from ${id.table} where ${which})`);
