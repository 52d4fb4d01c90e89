import { sql, type SQL } from "drizzle-orm";
import type {
  DocumentHit,
  DocumentKind,
  MomentHit,
  SearchKind,
  SearchQuery,
  SearchResults,
} from "#worker/discovery/contract.ts";
import { sources } from "#worker/discovery/search-sources.ts";
import { correctWords } from "#worker/discovery/spelling.ts";
import { documentMatch, passageMatch, queryOf, wordsOf } from "#worker/discovery/words.ts";
import { episodePassages, episodes } from "#worker/episodes/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { refuseBurst } from "#worker/platform/rate.ts";

const PAGE_SIZE = 10;
/** Moments shown beside documents. */
const FEW_MOMENTS = 3;

/**
 * Published documents that have all the words, and the moments of episodes in which they were said; the best first.
 * @throws `too_many` when the address searches for too many different things at once; `not_found` for a broken cursor
 */
export async function search(ctx: Context, { q = "", kind, before }: SearchQuery): Promise<SearchResults> {
  ctx.dependsOn("episodes", "articles", "press", "search");
  const query = queryOf(q);
  const words = wordsOf(query);
  if (words.length === 0) return { query, correction: null, ...none };
  await refuseBurst(ctx, "search");
  const page = { kind, after: before === undefined ? null : cursorOf(before) };
  const found = await find(ctx, words, page);
  if (!isEmpty(found)) return { query, correction: null, ...found };
  const meant = await correctWords(ctx, words);
  const corrected = meant ? await find(ctx, meant, page) : none;
  return { query, correction: meant && !isEmpty(corrected) ? meant.join(" ") : null, ...corrected };
}

/** Whether the index finds a document by the words of its title. */
export async function isFound(
  { db }: Context,
  { kind, id, title }: { kind: DocumentKind; id: number; title: string },
) {
  const words = wordsOf(queryOf(title));
  const hasWords = words.length === 0 ? sql`` : sql`search match ${documentMatch(words)} and`;
  const [row] = await db.all(
    sql`select 1 from search where ${hasWords} kind = ${kind} and item_id = ${id} limit 1`,
  );
  return row !== undefined;
}

type Found = Omit<SearchResults, "query" | "correction">;
const none: Found = { documents: [], moments: [], hasMoreMoments: false, next: null };
const isEmpty = ({ documents, moments }: Found) => documents.length === 0 && moments.length === 0;

/** The last row of a page: its rank and its id in the index. */
type Cursor = { rank: number; id: number };
type Page = { kind: SearchKind | undefined; after: Cursor | null };

function cursorOf(text: string): Cursor {
  const [, rank, id] = /^(-?\d+(?:\.\d+)?(?:e-\d+)?)_(\d{1,15})$/.exec(text) ?? [];
  if (!rank || !id) throw new AppError("not_found", "There is no such page of the list.");
  return { rank: Number(rank), id: Number(id) };
}

async function find(ctx: Context, words: string[], { kind, after }: Page): Promise<Found> {
  if (kind === "transcript") return findMomentsOnly(ctx, words, after);
  const [documents, moments] = await Promise.all([
    ctx.db.all<DocumentRow>(documentStatement(words, kind, after)),
    kind || after ? [] : ctx.db.all<MomentRow>(momentStatement(words, FEW_MOMENTS + 1, null)),
  ]);
  return {
    documents: documents.slice(0, PAGE_SIZE).map(toDocument),
    moments: moments.slice(0, FEW_MOMENTS).map(toMoment),
    hasMoreMoments: moments.length > FEW_MOMENTS,
    next: nextOf(documents),
  };
}

async function findMomentsOnly(ctx: Context, words: string[], after: Cursor | null): Promise<Found> {
  const rows = await ctx.db.all<MomentRow>(momentStatement(words, PAGE_SIZE + 1, after));
  return { ...none, moments: rows.slice(0, PAGE_SIZE).map(toMoment), next: nextOf(rows) };
}

function nextOf(rows: Cursor[]) {
  const last = rows[PAGE_SIZE - 1];
  return rows.length > PAGE_SIZE && last ? `${last.rank}_${last.id}` : null;
}

const isAfter = (after: Cursor | null, rank: SQL, id: SQL) =>
  after ? sql`and (${rank} > ${after.rank} or (${rank} = ${after.rank} and ${id} > ${after.id}))` : sql``;

/** The index puts the words that were found between these two. */
const MARKS = sql`char(0xE000), char(0xE001)`;

type DocumentRow = Cursor & {
  kind: DocumentKind;
  itemId: number;
  title: string;
  summary: string;
  names: string;
  body: string | null;
  date: number | null;
  slug: string;
};

/**
 * `rank` is bm25 with the index's own weights: title, then summary and names, then body. To cut a long body around its
 * words takes as long as to find it, so that is done only where the summary does not show them.
 */
export function documentStatement(words: string[], kind: DocumentKind | undefined, after: Cursor | null) {
  const summary = sql`snippet(search, 1, ${MARKS}, '…', 32)`;
  const isOfKind = kind ? sql`and kind = ${kind}` : sql``;
  return sql`
    with ranked as materialized (
      select rowid as id, rank, kind, item_id as itemId, slug, date,
        highlight(search, 0, ${MARKS}) as title, ${summary} as summary, highlight(search, 2, ${MARKS}) as names,
        iif(instr(${summary}, char(0xE000)), null, snippet(search, 3, ${MARKS}, '…', 32)) as body
      from search
      where search match ${documentMatch(words)} ${isOfKind} ${isAfter(after, sql`rank`, sql`rowid`)}
      order by rank limit ${PAGE_SIZE + 1}
    )
    select * from ranked order by rank, id`;
}

function toDocument({ kind, itemId, slug, title, summary, names, body, date }: DocumentRow): DocumentHit {
  const excerpts = [summary, body ?? ""];
  return {
    kind,
    id: itemId,
    path: sources[kind].pathOf({ itemId, slug }),
    title: toHtml(title),
    excerpt: toHtml(excerpts.find(isMarked) ?? excerpts.find(Boolean) ?? ""),
    names: isMarked(names) ? toHtml(names) : "",
    date: date ?? 0,
  };
}

/**
 * So many of the best passages are ranked, in a list and beside documents; of each episode its best is shown. Ranking all
 * would cost a search for a common word too much.
 */
const BEST_PASSAGES = 400;
const BEST_FOR_A_FEW = 100;

type MomentRow = Cursor & {
  text: string;
  excerpt: string;
  cues: string;
  episodeId: number;
  title: string;
  date: number | null;
};

/**
 * `cross join`, by which SQLite keeps to the order: from what was found, not from every published episode. Beside a
 * `min` stand the columns of its row. By bm25 itself, since `order by rank` finds each passage once more.
 */
export function momentStatement(words: string[], limit: number, after: Cursor | null) {
  const match = passageMatch(words);
  return sql`
    with ranked as materialized (
      select rowid as id, bm25(passage_search) as score from passage_search
      where passage_search match ${match} order by score limit ${limit > PAGE_SIZE ? BEST_PASSAGES : BEST_FOR_A_FEW}
    ),
    best as materialized (
      select ranked.id, min(ranked.score) as rank, ${episodePassages.episodeId} as episode_id
      from ranked cross join ${episodePassages} on ${episodePassages.id} = ranked.id
      group by ${episodePassages.episodeId}
    ),
    shown as materialized (
      select best.id, best.rank, ${episodes.id} as episode_id, ${episodes.title} as title, ${episodes.publishedAt} as date
      from best cross join ${episodes} on ${episodes.id} = best.episode_id and ${episodes.status} = 'published'
      where true ${isAfter(after, sql`best.rank`, sql`best.id`)}
      order by best.rank, best.id limit ${limit}
    )
    select shown.id, shown.rank, shown.episode_id as episodeId, shown.title, shown.date, ${episodePassages.cues} as cues,
      highlight(passage_search, 1, ${MARKS}) as text, snippet(passage_search, 1, ${MARKS}, '…', 40) as excerpt
    from shown
      cross join ${episodePassages} on ${episodePassages.id} = shown.id
      cross join passage_search on passage_search.rowid = shown.id and passage_search match ${match}
    order by shown.rank, shown.id`;
}

function toMoment({ text, excerpt, cues, episodeId, title, date }: MomentRow): MomentHit {
  // No mark precedes the first one, so its index is that of its word in the passage.
  const at = text.indexOf(MARK_START);
  const spoken = (JSON.parse(cues) as (typeof episodePassages.$inferSelect)["cues"]).findLast(
    (cue) => cue.at <= at,
  );
  const seconds = Math.floor(spoken?.start ?? 0);
  return {
    episodeId,
    episodeTitle: title,
    path: `/episode/${episodeId}?t=${seconds}`,
    seconds,
    speaker: spoken?.speaker ?? "",
    excerpt: toHtml(excerpt),
    date: date ?? 0,
  };
}

const MARK_START = "\uE000";
const isMarked = (text: string) => text.includes(MARK_START);

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes, then marks. Marks that the text itself contains have no pair and are dropped. */
const toHtml = (text: string) =>
  text
    .replace(/[&<>"]/g, (character) => entities[character] ?? "")
    .replace(/\uE000([^\uE000\uE001]*)\uE001/g, "<mark>$1</mark>")
    .replace(/[\uE000\uE001]/g, "");
