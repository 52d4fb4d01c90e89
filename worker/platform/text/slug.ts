import { sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** Characters. A slug has at most 120 (contract.ts); this leaves room for a number after it. */
const MAX_LENGTH = 110;

/** The last word of a text that is too long; a longer one, such as a text without spaces, is cut. */
const LAST_WORD = /-[^-]{0,30}$/;

/**
 * Lowercase ASCII words of any script, joined by hyphens; of a long text the first ones. Empty if a text has none, such
 * as emoji alone.
 */
export async function slugOf(text: string) {
  // Imported on demand: 190 kB of tables that only writes use.
  const { transliterate } = await import("transliteration");
  const slug = transliterate(text.normalize("NFC"))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  if (slug.length <= MAX_LENGTH) return slug;
  return slug
    .slice(0, MAX_LENGTH + 1)
    .replace(LAST_WORD, "")
    .slice(0, MAX_LENGTH);
}

/** SQL: the first of `slug`, `slug-2`, `slug-3` … for which `isTaken`, of `numbered.slug`, is false. */
export const firstFree = (slug: string, isTaken: SQL) => sql<string>`(
  with recursive numbered (n, slug) as (
    values (1, ${slug})
    union all
    select n + 1, ${slug} || '-' || (n + 1) from numbered where ${isTaken}
  )
  select slug from numbered order by n desc limit 1)`;

/**
 * SQL: a free slug for a unique column, numbered if a row other than `id` has it. Evaluated in the write's own
 * statement, so that two concurrent writes get different slugs.
 */
export const freeSlug = (column: SQLiteColumn, slug: string, id = 0) =>
  firstFree(
    slug,
    sql`exists (select 1 from ${column.table} where ${column} = numbered.slug and id <> ${id})`,
  );
