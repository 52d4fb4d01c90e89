import { and, asc, desc, gt, gte, lt, sql, type SQL } from "drizzle-orm";
import type { Filters } from "#worker/newsletter/owner-queries.ts";
import { isListed, LIST_ROWS, rowid, summaryColumns, toSummary } from "#worker/newsletter/owner-queries.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { normalizeText } from "#worker/platform/text/fold.ts";
import { noSuchPage } from "#worker/platform/data/keyset.ts";

type Search = { q: string; before: string | undefined; filters: Filters };

/** Matches that a search examines for one page: the filters may exclude some. */
const LOOKED_AT = 60;
/** Characters that the index of trigrams needs. */
const TRIGRAM = 3;

/**
 * Subscribers whose address contains these characters, latest first; fewer than three characters match only its
 * beginning, by name. A filtered page may be short and still have a next page.
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

/** SQL: the row is among the latest matches. */
function hasPart(q: string, before: string | undefined, most: number): SQL {
  if (before !== undefined && !/^\d{1,15}$/.test(before)) throw noSuchPage();
  // D1 binds numbers as floats, for which FTS5 would scan every row.
  const older = before === undefined ? sql`` : sql`and rowid < cast(${Number(before)} as integer)`;
  return sql`${rowid} in (
    select rowid from subscriber_search where subscriber_search match ${quoted(q)} ${older}
    order by rowid desc limit ${most})`;
}

/** As an FTS5 phrase, in which no character is an operator. */
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

const beginsWith = (q: string, before: string | undefined) =>
  and(
    gte(subscribers.email, q),
    lt(subscribers.email, `${q}\u{10ffff}`),
    before === undefined ? undefined : gt(subscribers.email, before),
  );
