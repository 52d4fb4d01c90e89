import { and, asc, desc, gt, gte, lt, sql, type SQL } from "drizzle-orm";
import type { Filters } from "#worker/newsletter/owner-queries.ts";
import { isListed, LIST_ROWS, rowid, summaryColumns, toSummary } from "#worker/newsletter/owner-queries.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { normalizeText } from "#worker/platform/fold.ts";
import { noSuchPage } from "#worker/platform/keyset.ts";

type Search = { q: string; before: string | undefined; filters: Filters };

/** Rows that a search looks at for one page: what is found need not be what is filtered. */
const LOOKED_AT = 60;
/** Characters that the index of trigrams needs. */
const TRIGRAM = 3;

/**
 * Subscribers whose address has these characters: of three or more the latest added first; of fewer those that begin with
 * them, by name. A page that is also filtered may be short, and have others behind it.
 */
export async function findSubscribers(ctx: Context, { q: typed, before, filters }: Search) {
  const q = normalizeText(typed);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const most = isFiltered ? LOOKED_AT : LIST_ROWS + 1;
  const isPart = Array.from(q).length >= TRIGRAM;
  const [where, order] = isPart
    ? [hasPart(q, before, most), desc(rowid)]
    : [beginsWith(q, before), asc(subscribers.email)];
  const found = await ctx.db
    .select({ ...summaryColumns, isListed: sql`${isListed(ctx, filters) ?? sql`true`}`.mapWith(Boolean) })
    .from(subscribers)
    .where(where)
    .orderBy(order)
    .limit(most);
  const listed = found.filter((row) => row.isListed);
  const items = listed.slice(0, LIST_ROWS);
  const isEnd = listed.length <= LIST_ROWS && found.length < most;
  const last = listed.length > LIST_ROWS ? items.at(-1) : found.at(-1);
  const cursor = last && (isPart ? String(last.rowid) : last.email);
  return { items: items.map((row) => toSummary(ctx, row)), next: isEnd ? null : (cursor ?? null) };
}

/** SQL: is among the latest that have these characters. */
function hasPart(q: string, before: string | undefined, most: number): SQL {
  if (before !== undefined && !/^\d{1,15}$/.test(before)) throw noSuchPage();
  // A number that D1 binds is a float, for which FTS5 would read each row.
  const older = before === undefined ? sql`` : sql`and rowid < cast(${Number(before)} as integer)`;
  return sql`${rowid} in (
    select rowid from subscriber_search where subscriber_search match ${quoted(q)} ${older}
    order by rowid desc limit ${most})`;
}

/** As a phrase of FTS5, in which no character means anything. */
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

const beginsWith = (q: string, before: string | undefined) =>
  and(
    gte(subscribers.email, q),
    lt(subscribers.email, `${q}\u{10ffff}`),
    before === undefined ? undefined : gt(subscribers.email, before),
  );
