import { sql } from "drizzle-orm";
import { isOpen, pages, switchesOf, type PagePath } from "#worker/addresses.ts";
import type { DocumentKind } from "#worker/discovery/contract.ts";
import { sources } from "#worker/discovery/search-sources.ts";
import { correctWords, distanceOf, tolerance } from "#worker/discovery/spelling.ts";
import { documentMatch, partsOf, wordsOf } from "#worker/discovery/words.ts";
import type { Context } from "#worker/platform/context.ts";
import { decoded } from "#worker/platform/text/decoded.ts";
import { foldText } from "#worker/platform/text/fold.ts";
import { isBurst } from "#worker/platform/http/rate.ts";
import { readSite } from "#worker/settings/queries.ts";

/** A page that a missing path may mean. */
export type Nearest = { path: string; title: string };

const MOST = 3;
/** Maximum matching titles that are compared with the path. */
const COMPARED = 20;

/**
 * The pages, episodes, essays and press whose titles are nearest to the last segment of a path, nearest first. Empty
 * during a burst from one address, since each call costs up to three searches.
 */
export async function findNearest(ctx: Context, pathname: string): Promise<Nearest[]> {
  const name = nameIn(pathname);
  const words = wordsOf(name.replace(/[^\p{L}\p{N}]+/gu, " "));
  if (!words.some((word) => /\p{L}{3}/u.test(word)) || (await isBurst(ctx, "missing"))) return [];
  const found = await findTitled(ctx, words);
  return [...(await pagesNear(ctx, name)), ...found].slice(0, MOST);
}

/** Characters. */
const LONGEST_NAME = 120;

function nameIn(pathname: string) {
  const last = pathname.replace(/\/+$/, "").split("/").at(-1)!;
  return decoded(last)
    .slice(0, LONGEST_NAME)
    .toLowerCase()
    .replace(/\.\w{2,5}$/, "");
}

async function pagesNear(ctx: Context, name: string): Promise<Nearest[]> {
  const near = (Object.keys(pages) as PagePath[]).filter((path) => {
    const { label, format } = pages[path];
    return label && !format && isNear(name, path.slice(1).replace("/", "-"));
  });
  if (near.length === 0) return [];
  const switches = switchesOf(await readSite(ctx));
  return near.filter((path) => isOpen(path, switches)).map((path) => ({ path, title: pages[path].label! }));
}

type Row = { kind: DocumentKind; itemId: number; slug: string; title: string };

/** By the words as written, or otherwise spell-corrected. */
async function findTitled(ctx: Context, words: string[]) {
  const found = await findNamed(ctx, words);
  if (found.length > 0) return found;
  const corrected = await correctWords(ctx, words);
  return corrected ? findNamed(ctx, corrected) : [];
}

async function findNamed({ db }: Context, words: string[]): Promise<Nearest[]> {
  const any = words.map((word) => documentMatch([word])).join(" OR ");
  const rows = await db.all<Row>(sql`
    with ranked as materialized (
      select rowid as id, rank from document_search
      where document_search match ${`{title title_plain} : (${any})`} order by rank limit ${COMPARED}
    )
    select kind, item_id as itemId, slug, title
    from ranked cross join search_documents as document on document.id = ranked.id order by ranked.rank`);
  return rows
    .map((row) => ({ ...row, share: shareIn(row.title, words) }))
    .filter(({ share }) => share >= LEAST_SHARE)
    .toSorted((a, b) => b.share - a.share)
    .map(({ kind, title, ...row }) => ({ path: sources[kind].pathOf(row), title }));
}

/** The minimum share of the words that a title must have, or nearly have. */
const LEAST_SHARE = 0.5;

function shareIn(title: string, words: string[]) {
  const named = wordsOf(title).flatMap(partsOf);
  return words.filter((word) => named.some((other) => isNear(word, other))).length / words.length;
}

const isNear = (word: string, other: string) =>
  distanceOf(foldText(word), foldText(other)) <= tolerance(word.length);
