import { and, asc, desc, eq, gt, gte, isNotNull, lt, sql, type SQL } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { listDeliveriesTo } from "#worker/letters/subscriber-queries.ts";
import type {
  SubscriberDetails,
  SubscriberListQuery,
  SubscriberState,
  SubscriberStats,
  SubscriberSummary,
} from "#worker/newsletter/contract.ts";
import { isPaused, runningPause } from "#worker/newsletter/queries.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { noSuchPage, pageOf } from "#worker/platform/data/keyset.ts";
import { AppError } from "#worker/platform/errors.ts";
import { namesIn, topicNames } from "#worker/topics/choices.ts";
import { normalizeText } from "#worker/platform/text/fold.ts";

const LIST_ROWS = 30;

/** SQL: the rowid, which increases in order of insertion. */
export const rowid = sql<number>`${subscribers}.rowid`.mapWith(Number);

export const summaryColumns = {
  rowid: rowid.as("number"),
  id: subscribers.id,
  email: subscribers.email,
  state: sql<SubscriberState>`${subscribers.state}`.as("state"),
  source: subscribers.source,
  subscribedAt: subscribers.subscribedAt,
  verifiedAt: subscribers.verifiedAt,
  pausedUntil: subscribers.pausedUntil,
  futureMember: subscribers.futureMember,
};

type SummaryRow = Pick<
  typeof subscribers.$inferSelect,
  "id" | "email" | "source" | "verifiedAt" | "futureMember"
> & {
  state: SubscriberState;
  subscribedAt: Date;
  pausedUntil: Date | null;
};

export const toSummary = (ctx: Pick<Context, "now">, row: SummaryRow): SubscriberSummary => ({
  id: row.id,
  email: row.email,
  state: row.state,
  source: row.source,
  subscribedAt: row.subscribedAt.getTime(),
  verifiedAt: row.verifiedAt?.getTime() ?? null,
  pausedUntil: row.state === "confirmed" ? runningPause(ctx, row) : null,
  futureMember: row.futureMember,
});

/**
 * Subscribers, newest first; of a search in the order of its index. `before` is the previous page's `next`.
 * @throws `unauthenticated`, `forbidden`; `not_found` for a malformed cursor
 */
export async function listSubscribers(
  ctx: Context,
  { q, before, ...filters }: SubscriberListQuery = {},
): Promise<{ items: SubscriberSummary[]; next: string | null }> {
  requireCapability("audience", ctx);
  if (q) return findSubscribers(ctx, { q, before, filters });
  const rows = await (before === undefined ? stretch(ctx, filters) : readAfter(ctx, filters, before));
  const { items, next } = pageOf(rows, LIST_ROWS, (last) => `${last.subscribedAt.getTime()}-${last.rowid}`);
  return { items: items.map((row) => toSummary(ctx, row)), next };
}

/** The first rows of a page, newest first; the last inserted first if the times are equal. */
const stretch = (ctx: Context, filters: Filters, where?: SQL) =>
  ctx.db
    .select(summaryColumns)
    .from(subscribers)
    .where(and(isListed(ctx, filters), where))
    .orderBy(desc(subscribers.subscribedAt), desc(rowid))
    .limit(LIST_ROWS + 1);

/**
 * The rows after a cursor: the rest with the same time, then older ones. In one query SQLite would read all rows of
 * that time, and an import adds thousands with the same time.
 */
async function readAfter(ctx: Context, filters: Filters, cursor: string) {
  const [, time, last] = /^(\d{1,15})-(\d{1,15})$/.exec(cursor) ?? [];
  if (!time || !last) throw noSuchPage();
  const { subscribedAt } = subscribers;
  const sameMoment = sql`${subscribedAt} = ${Number(time)} and ${rowid} < ${Number(last)}`;
  const same = stretch(ctx, filters, sameMoment).as("same");
  const older = stretch(ctx, filters, sql`${subscribedAt} < ${Number(time)}`).as("older");
  const rows = await ctx.db.select().from(same).unionAll(ctx.db.select().from(older));
  return rows.toSorted((a, b) => b.subscribedAt.getTime() - a.subscribedAt.getTime() || b.rowid - a.rowid);
}

export type Filters = Omit<SubscriberListQuery, "q" | "before">;

/**
 * SQL: the filters. Each has an index, in whose order rows are read until a page is full. The plus sign stops SQLite
 * from using the index of sources where that of the few paused subscribers reads less.
 */
export function isListed({ now }: Pick<Context, "now">, { state, source, since, until }: Filters) {
  const ofState = state && stateIs(now, state);
  const ofSource =
    (state === "paused" || state === "future-member") && source
      ? sql`+${subscribers.source} = ${source}`
      : source && eq(subscribers.source, source);
  return and(
    ofState || undefined,
    ofSource || undefined,
    since === undefined ? undefined : gte(subscribers.subscribedAt, new Date(since)),
    until === undefined ? undefined : lt(subscribers.subscribedAt, new Date(until)),
  );
}

function stateIs(now: Date, state: NonNullable<Filters["state"]>) {
  if (state === "paused") return isPaused(now);
  return state === "future-member" ? isNotNull(subscribers.futureMember) : eq(subscribers.state, state);
}

/**
 * A subscriber with their latest deliveries.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readSubscriber(ctx: Context, id: string): Promise<SubscriberDetails> {
  requireCapability("audience", ctx);
  const [[row], deliveries] = await Promise.all([
    ctx.db
      .select({
        ...summaryColumns,
        consent: subscribers.consent,
        unsubscribedAt: subscribers.unsubscribedAt,
        blockedAt: subscribers.blockedAt,
        blockedReason: subscribers.blockedReason,
        topics: topicNames,
        softBounces: subscribers.softBounces,
      })
      .from(subscribers)
      .where(eq(subscribers.id, id)),
    listDeliveriesTo(ctx, id),
  ]);
  if (!row) throw noSuchSubscriber();
  return {
    ...toSummary(ctx, row),
    consent: row.consent,
    unsubscribedAt: row.unsubscribedAt?.getTime() ?? null,
    blockedAt: row.blockedAt?.getTime() ?? null,
    blockedReason: row.blockedReason,
    topics: namesIn(row.topics),
    softBounces: row.softBounces,
    deliveries,
  };
}

export const noSuchSubscriber = () => new AppError("not_found", "There is no such subscriber.");

/**
 * How many subscribers there are of each state. Reads an entry of an index for each subscriber, and the rows of those that
 * are pending or paused.
 * @throws `unauthenticated`, `forbidden`
 */
export async function readSubscriberStats(ctx: Context): Promise<SubscriberStats> {
  requireCapability("audience", ctx);
  const count = (filters: Filters) =>
    sql`(select count(*) from ${subscribers} where ${isListed(ctx, filters)})`;
  const rows = await ctx.db.all<{ status: string; count: number }>(sql`
    select ${subscribers.status} as status, count(*) as count from ${subscribers} group by ${subscribers.status}
    union all select 'pending', ${count({ state: "pending" })}
    union all select 'paused', ${count({ state: "paused" })}`);
  const { active, ...counts } = Object.fromEntries(rows.map((row) => [row.status, row.count]));
  const stats = { pending: 0, unsubscribed: 0, bounced: 0, complained: 0, paused: 0, ...counts };
  return { ...stats, confirmed: (active ?? 0) - stats.pending };
}

const MAX_SOURCES = 100;

/**
 * The sources of subscribers, by name. A loose index scan: reads one entry per source.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listSources(ctx: Context): Promise<string[]> {
  requireCapability("audience", ctx);
  const rows = await ctx.db.all<{ source: string }>(sql`
    with recursive known (source) as (
      select min(source) from subscribers
      union all
      select (select min(source) from subscribers where source > known.source) from known
      where known.source is not null)
    select source from known where source is not null limit ${MAX_SOURCES}`);
  return rows.map(({ source }) => source);
}

type Search = { q: string; before: string | undefined; filters: Filters };

/** Matches that a search examines for one page: the filters may exclude some. */
const LOOKED_AT = 60;
/** Characters that the index of trigrams needs. */
const TRIGRAM = 3;

/**
 * Subscribers whose address contains these characters, latest first; fewer than three characters match only its
 * beginning, by name. A filtered page may be short and still have a next page.
 */
async function findSubscribers(ctx: Context, { q: typed, before, filters }: Search) {
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
