import { sql } from "drizzle-orm";
import { isAllowed, requireCapability } from "#worker/access/capabilities.ts";
import { findUsers } from "#worker/accounts/queries.ts";
import {
  ownedKinds,
  type OwnedHit,
  type OwnedKind,
  type OwnerHit,
  type OwnerSearchQuery,
} from "#worker/discovery/contract.ts";
import { findCompounds } from "#worker/discovery/compounds.ts";
import { refreshSearch } from "#worker/discovery/search-refresh.ts";
import { firstRowOf, ROWS_OF_A_KIND } from "#worker/discovery/search-sources.ts";
import { beginningMatch, queryOf, wordsOf } from "#worker/discovery/words.ts";
import type { Context } from "#worker/platform/context.ts";
import { wholeList } from "#worker/platform/data/keyset.ts";

const FEW = 5;
const KINDS_OF_EDITORS = ownedKinds.filter((kind) => kind !== "letter");

/**
 * Editable items whose titles have words with these beginnings, the newest few of each kind; without a query the newest
 * of each. Includes letters for users who may see the audience, and users for those who manage them.
 * @throws `unauthenticated`, `forbidden`
 */
export async function searchOwned(ctx: Context, { q = "" }: OwnerSearchQuery) {
  requireCapability("edit", ctx);
  const query = queryOf(q);
  const words = wordsOf(query);
  // A query without a word, such as "…", finds nothing.
  if (query !== "" && words.length === 0) return wholeList<OwnerHit>([]);
  const [owned, users] = await Promise.all([
    findOwned(ctx, words, isAllowed("audience", ctx) ? ownedKinds : KINDS_OF_EDITORS),
    query !== "" && isAllowed("users", ctx) ? findUsers(ctx, query, FEW) : [],
  ]);
  const found: OwnerHit[] = [
    ...owned,
    ...users.map(({ id, fullName }) => ({ kind: "user" as const, id, title: fullName })),
  ];
  return wholeList(found);
}

/**
 * One statement for all kinds, since D1 allows five selects in a union. `cross join` fixes SQLite's join order. The
 * bounds come as JSON: D1 binds numbers as floats, for which FTS5 would scan every row.
 */
async function findOwned(ctx: Context, words: string[], found: readonly OwnedKind[]): Promise<OwnedHit[]> {
  const isMatch = words.length > 0 ? sql`owner_search match ${await beginningOf(ctx, words)} and` : sql``;
  const kinds = found.map((kind) => {
    const before = firstRowOf(kind);
    return { kind, before, last: before + ROWS_OF_A_KIND - 1 };
  });
  return ctx.db.all<OwnedHit>(sql`
    with kinds as materialized (
      select key as place, value ->> 'kind' as kind, value ->> 'before' as before, value ->> 'last' as last
      from json_each(${JSON.stringify(kinds)})
    )
    select kind, found.rowid - before as id, title
    from kinds cross join owner_search as found on found.rowid in (
      select rowid from owner_search
      where ${isMatch} rowid between before and last
      order by rowid desc limit ${FEW})
    order by place, found.rowid desc`);
}

async function beginningOf(ctx: Context, words: string[]) {
  await refreshSearch(ctx, "owner_search");
  return beginningMatch(words, await findCompounds(ctx, words));
}
