import { sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Context } from "#worker/platform/context.ts";

/** Characters. An address takes 120 (contract.ts); this leaves room for a number behind it. */
const MAX_LENGTH = 110;

/** Lowercase ASCII words of any script, joined by hyphens. Empty where a text has none, such as emoji alone. */
export async function slugOf(text: string) {
  // 190 kB of tables that only writes use.
  const { transliterate } = await import("transliteration");
  return transliterate(text.normalize("NFC"))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, MAX_LENGTH)
    .replace(/-$/, "");
}

/**
 * The slug of a title for a unique column, as SQL: the first of `title`, `title-2`, `title-3` … that no other row than
 * `id` has, nor `former`, a table of the slugs that rows had before. The statement that writes it finds it, so that two
 * writes at once take two. The day (UTC) stands in for a title without words.
 */
export async function freeSlug(
  { now }: Context,
  column: SQLiteColumn,
  title: string,
  { id = 0, former }: { id?: number; former?: { slug: SQLiteColumn; owner: SQLiteColumn } } = {},
) {
  const slug = (await slugOf(title)) || now.toISOString().slice(0, 10);
  const wasTaken = former
    ? sql`or exists (select 1 from ${former.slug.table} where ${former.slug} = numbered.slug and ${former.owner} <> ${id})`
    : sql``;
  return sql<string>`(
    with recursive numbered (n, slug) as (
      values (1, ${slug})
      union all
      select n + 1, ${slug} || '-' || (n + 1) from numbered
      where exists (select 1 from ${column.table} where ${column} = numbered.slug and id <> ${id}) ${wasTaken}
    )
    select slug from numbered order by n desc limit 1)`;
}
