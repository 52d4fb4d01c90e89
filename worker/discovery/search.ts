import { sql, type SQL } from "drizzle-orm";
import { findCompounds } from "#worker/discovery/compounds.ts";
import type {
  DocumentHit,
  DocumentKind,
  MomentHit,
  SearchKind,
  SearchQuery,
  SearchResults,
} from "#worker/discovery/contract.ts";
import { excerptOf, markedHtml, marksOf, soughtBy, type Sought } from "#worker/discovery/highlight.ts";
import { findPending, refreshSearch } from "#worker/discovery/search-refresh.ts";
import { sources } from "#worker/discovery/search-sources.ts";
import { correctWords } from "#worker/discovery/spelling.ts";
import {
  documentMatch,
  mayGoOn,
  needlesOf,
  passageMatch,
  queryOf,
  wordsOf,
  type Compounds,
} from "#worker/discovery/words.ts";
import { episodePassages, episodes } from "#worker/episodes/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { refuseBurst } from "#worker/platform/http/rate.ts";

const PAGE_SIZE = 10;
/** Moments shown next to documents. */
const FEW_MOMENTS = 3;

/**
 * Published documents with all the words, and moments of episodes in which they are said; best first.
 * @throws `too_many` after too many different searches from one address in a short time; `not_found` for a broken
 * cursor
 */
export async function search(ctx: Context, { q = "", kind, before }: SearchQuery): Promise<SearchResults> {
  ctx.dependsOn("episodes", "articles", "press", "search");
  const query = queryOf(q);
  const words = wordsOf(query);
  if (words.length === 0) return { query, correction: null, ...none };
  await refuseBurst(ctx, "search");
  const page = { kind, after: before === undefined ? null : cursorOf(before) };
  const [[pending], first] = await Promise.all([findPending(ctx), find(ctx, words, page)]);
  if (pending) await refreshSearch(ctx);
  const found = pending ? await find(ctx, words, page) : first;
  if (!isEmpty(found)) return { query, correction: null, ...found };
  const meant = await correctWords(ctx, words);
  const corrected = meant ? await find(ctx, meant, page) : none;
  return { query, correction: meant && !isEmpty(corrected) ? meant.join(" ") : null, ...corrected };
}

/** Whether the index finds a document by the words of its title. */
export async function isFound(
  ctx: Context,
  { kind, id, title }: { kind: DocumentKind; id: number; title: string },
) {
  await refreshSearch(ctx);
  const words = wordsOf(queryOf(title));
  const hasWords = words.length === 0 ? sql`` : sql`and document_search match ${documentMatch(words)}`;
  const [row] = await ctx.db.all(sql`
    select 1 from search_documents as document cross join document_search on document_search.rowid = document.id ${hasWords}
    where document.kind = ${kind} and document.item_id = ${id} limit 1`);
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
  const isMoments = kind === "transcript";
  const few = isMoments ? PAGE_SIZE + 1 : FEW_MOMENTS + 1;
  const ask = (compounds?: Compounds) =>
    [
      isMoments ? [] : ctx.db.all<DocumentRow>(documentStatement(words, kind, after, compounds)),
      isMoments || !(kind || after)
        ? ctx.db.all<MomentRow>(momentStatement(words, few, after, compounds))
        : [],
    ] as const;
  const [compounds, ...whole] = await Promise.all([findCompounds(ctx, words), ...ask()]);
  // Matches within longer words rank after matches of whole words.
  const isInner = compounds.size > 0 || mayGoOn(words);
  const [innerDocuments, innerMoments] = await Promise.all([
    isInner && whole[0].length <= PAGE_SIZE ? ask(compounds)[0] : [],
    isInner && whole[1].length < few ? ask(compounds)[1] : [],
  ]);
  const documents = [...whole[0], ...innerDocuments];
  const seen = new Set(whole[1].map(({ episodeId }) => episodeId));
  const moments = [...whole[1], ...innerMoments.filter(({ episodeId }) => !seen.has(episodeId))];
  const sought = soughtBy(words, compounds);
  return {
    documents: documents.slice(0, PAGE_SIZE).map((row) => toDocument(row, sought)),
    moments: moments.slice(0, few - 1).map((row) => toMoment(row, sought)),
    hasMoreMoments: !isMoments && moments.length >= few,
    next: nextOf(isMoments ? moments : documents),
  };
}

function nextOf(rows: Cursor[]) {
  const last = rows[PAGE_SIZE - 1];
  return rows.length > PAGE_SIZE && last ? `${last.rank}_${last.id}` : null;
}

const isAfter = (after: Cursor | null, rank: SQL, id: SQL) =>
  after ? sql`and (${rank} > ${after.rank} or (${rank} = ${after.rank} and ${id} > ${after.id}))` : sql``;

/** Scales the bm25 of matches within longer words, so that they rank after all whole-word matches. */
const INNER = sql`1e-12`;

type DocumentRow = Cursor & {
  kind: DocumentKind;
  itemId: number;
  title: string;
  summary: string;
  names: string;
  /** The text around its first match, its offset (from 1), and the length of the whole text. */
  body: string;
  bodyFrom: number;
  bodyLength: number;
  date: number | null;
  slug: string;
};

/** Characters read around the first match: before it, and in total. */
const BEFORE = 200;
const LOOKED_AT = 600;
/** If SQL finds no exact match, characters read from the beginning. */
const MOST_LOOKED_AT = 50_000;

/**
 * `rank` is bm25 with the index's own weights (search-schema.ts): title, then summary and names, then body. With compounds: only documents
 * that have the words within longer ones.
 */
export function documentStatement(
  words: string[],
  kind: DocumentKind | undefined,
  after: Cursor | null,
  compounds?: Compounds,
) {
  const isOfKind = kind ? ` AND kind : "kind${kind}"` : "";
  const matchOf = (within?: Compounds) =>
    sql`document_search match ${`(${documentMatch(words, within)})${isOfKind}`}`;
  const rank = compounds ? sql`rank * ${INNER}` : sql`rank`;
  const isOther = compounds
    ? sql`and rowid not in (select rowid from document_search where ${matchOf()})`
    : sql``;
  return sql`
    with ranked as materialized (
      select rowid as id, ${rank} as score from document_search
      where ${matchOf(compounds)} ${isOther} ${isAfter(after, rank, sql`rowid`)}
      order by rank limit ${PAGE_SIZE + 1}
    ),
    placed as materialized (
      select ranked.id, ranked.score, document.*,
        (select min((
          select coalesce(
            nullif(instr(' ' || replace(lower(document.body), char(10), ' '), ' ' || needle.value), 0),
            nullif(instr(lower(document.body), needle.value), 0)
          ) as at from json_each(word.value) as needle where at is not null order by needle.key limit 1
        )) from json_each(${JSON.stringify(needlesOf(words, compounds))}) as word) as place
      from ranked cross join search_documents as document on document.id = ranked.id
    )
    select id, score as rank, kind, item_id as itemId, slug, date, title, summary, names,
      substr(body, max(coalesce(place, 1) - ${BEFORE}, 1), iif(place is null, ${MOST_LOOKED_AT}, ${LOOKED_AT})) as body,
      max(coalesce(place, 1) - ${BEFORE}, 1) as bodyFrom, length(body) as bodyLength
    from placed order by score, id`;
}

function toDocument(row: DocumentRow, sought: Sought): DocumentHit {
  const { kind, itemId, slug, title, summary, names, body, date } = row;
  const [inTitle, inSummary, inNames] = [title, summary, names].map((text) => marksOf(text, sought));
  const inBody = inSummary!.length > 0 ? [] : marksOf(body, sought);
  const isBody = inBody.length > 0 || summary === "";
  const isCut = { before: row.bodyFrom > 1, after: row.bodyFrom + Array.from(body).length <= row.bodyLength };
  return {
    kind,
    id: itemId,
    path: sources[kind].pathOf({ itemId, slug }),
    title: markedHtml(title, inTitle!),
    excerpt: isBody
      ? excerptOf({ text: body, marks: inBody, isCut })
      : excerptOf({ text: summary, marks: inSummary! }),
    names: inNames!.length > 0 ? markedHtml(names, inNames!) : "",
    date: date ?? 0,
  };
}

/**
 * How many of the best passages are ranked, in a list and next to documents; each episode shows its best. Ranking all
 * would make a search for a common word too expensive.
 */
const BEST_PASSAGES = 400;
const BEST_FOR_A_FEW = 100;

type MomentRow = Cursor & {
  text: string;
  cues: string;
  episodeId: number;
  title: string;
  date: number | null;
};

/**
 * `cross join` makes SQLite start from the matches, not from every published episode. Bare columns next to `min` come
 * from its row. Ordered by bm25 itself, since `order by rank` looks up each passage again.
 */
export function momentStatement(words: string[], limit: number, after: Cursor | null, compounds?: Compounds) {
  const matchOf = (within?: Compounds) => sql`moment_search match ${passageMatch(words, within)}`;
  const score = sql`bm25(moment_search, 1.0, 1.0, 0.02, 0.02)`;
  const isOther = compounds
    ? sql`and rowid not in (select rowid from moment_search where ${matchOf()})`
    : sql``;
  return sql`
    with ranked as materialized (
      select rowid as id, ${compounds ? sql`${score} * ${INNER}` : score} as score from moment_search
      where ${matchOf(compounds)} ${isOther} order by score limit ${limit > PAGE_SIZE ? BEST_PASSAGES : BEST_FOR_A_FEW}
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
    select shown.id, shown.rank, shown.episode_id as episodeId, shown.title, shown.date,
      ${episodePassages.cues} as cues, ${episodePassages.text} as text
    from shown cross join ${episodePassages} on ${episodePassages.id} = shown.id
    order by shown.rank, shown.id`;
}

function toMoment({ text, cues, episodeId, title, date }: MomentRow, sought: Sought): MomentHit {
  const marks = marksOf(text, sought);
  const at = marks[0]?.start ?? 0;
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
    excerpt: excerptOf({ text, marks }),
    date: date ?? 0,
  };
}
