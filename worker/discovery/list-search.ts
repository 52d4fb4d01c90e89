import { sql, type AnyColumn, type SQL } from "drizzle-orm";
import { findCompounds } from "#worker/discovery/compounds.ts";
import type { ListIndex } from "#worker/discovery/search-schema.ts";
import { refreshSearch } from "#worker/discovery/search-refresh.ts";
import { beginningMatch, queryOf, wordsOf } from "#worker/discovery/words.ts";
import type { Context } from "#worker/platform/context.ts";

/** The search and filters of an owner's list. */
type Question = {
  /** Typed words of a title or a text; the last one may be unfinished. */
  q?: string;
  /** Words of the index's column `filters`; falsy ones are ignored. */
  filters: (string | false | 0 | undefined)[];
};

/** The FTS5 expression of a search and its filters; undefined without any, null for a search without a word. */
export async function listMatch(ctx: Context, index: ListIndex, { q = "", filters }: Question) {
  const words = wordsOf(queryOf(q));
  if (q.trim() !== "" && words.length === 0) return null;
  if (words.length > 0) await refreshSearch(ctx, index);
  const compounds = await findCompounds(ctx, words);
  const parts = [
    words.length > 0 && `{title text} : (${beginningMatch(words, compounds)})`,
    ...filters.map((filter) => filter && `filters : "${filter}"`),
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(" AND ") : undefined;
}

type Page = { match: string | undefined; before: string | undefined; rows: number };

/**
 * SQL: whether a row is among the newest matches. The index returns rows in rowid order, which is the id or the column
 * `id`: so it reads one page, regardless of the filters.
 */
export function isListed(index: ListIndex, id: AnyColumn, { match, before, rows }: Page): SQL | undefined {
  if (match === undefined) return undefined;
  const table = sql.raw(index);
  return sql`${id} in (
    select rowid from ${table} where ${table} match ${match}
    ${before === undefined ? sql`` : sql`and rowid < cast(${idOf(before)} as integer)`}
    order by rowid desc limit ${rows})`;
}

/**
 * The cursor's id; `olderThanId` in the same statement refuses a malformed one. D1 binds numbers as floats, for which
 * FTS5 would scan every row.
 */
const idOf = (before: string) => Number(before) || 0;
