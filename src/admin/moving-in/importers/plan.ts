import {
  KNOWN_ARTICLES,
  type KnownArticles,
  type PlannedArticles,
} from "#worker/imports/importers/contract.ts";
import { slugFrom } from "../slug.ts";
import { isHere, type Plan, type Row } from "./choice.ts";
import type { ParseHtml } from "./convert.ts";
import { apart, authorNotes, breathe, withDate, type ForeignPost, type Source } from "./export.ts";
import { plain, examine } from "./to-article.ts";

const SHOWN_TITLES = 5;
const SHOWN_AUTHORS = 20;

export type Ask = (planned: PlannedArticles) => Promise<KnownArticles>;

/** A placeholder for an address that the owner is asked for. */
const UNKNOWN_SITE = "https://old.invalid";
/** Posts between two pauses. */
const AT_ONCE = 20;
/** The share of the progress; the rest is a second pass for posts that depend on later items. */
const FIRST_LOOK = 0.8;

/** Reads an export and plans its import; only what the page shows is held in memory. */
export async function planOf(
  source: Source,
  ask: Ask,
  parse: ParseHtml,
  onProgress: (part: number) => void,
  categories: Categories = [],
): Promise<Plan> {
  const rows = new Map<string, Row>();
  const leftOut: Plan["leftOut"] = new Map();
  const pictures = new Set<string>();
  const authors = new Set<string>();
  const leave = (why: string, title: string) => {
    const group = leftOut.get(why) ?? { count: 0, titles: [] };
    group.count++;
    if (group.titles.length < SHOWN_TITLES && title !== "") group.titles.push(apart(title));
    leftOut.set(why, group);
  };
  const pending = new Set<string>();
  let count = 0;
  for await (const read of source.read((part) => onProgress(part * FIRST_LOOK))) {
    if (++count % AT_ONCE === 0) await breathe();
    if ("leftOut" in read) leave(read.leftOut.why, read.leftOut.title);
    else if (isEmpty(read.post)) leave("It’s empty", read.post.title);
    else if (rows.has(read.post.key)) leave("It’s in the export twice", read.post.title);
    else {
      const row = rowOf(read.post, { source, parse, categories }, pictures);
      rows.set(row.key, row);
      if (read.post.isPending) pending.add(row.key);
      for (const author of read.post.authors) if (authors.size < SHOWN_AUTHORS) authors.add(apart(author));
    }
  }
  if (pending.size > 0)
    for await (const read of source.read((part) => onProgress(FIRST_LOOK + part * (1 - FIRST_LOOK)))) {
      if (!("post" in read) || !pending.delete(read.post.key)) continue;
      rows.set(read.post.key, rowOf(read.post, { source, parse, categories }, pictures));
    }
  const list = [...rows.values()].map((row) => ({
    ...row,
    notes: [...row.notes, ...authorNotes(row.authors, authors.size)],
  }));
  await findKnown(list, ask);
  return {
    rows: list,
    leftOut,
    pictures: pictures.size,
    authors: [...authors],
    remarks: source.remarks(),
    siteUrl: source.siteUrl()?.replace(/\/+$/, "") ?? null,
  };
}

const isEmpty = ({ title, text }: ForeignPost) =>
  title.trim() === "" && ("markdown" in text ? text.markdown : text.html).trim() === "";

type Categories = { id: number; name: string }[];
type Reading = { source: Source; parse: ParseHtml; categories: Categories };

function rowOf(given: ForeignPost, { source, parse, categories }: Reading, all: Set<string>): Row {
  const post = withDate(given);
  const { place, needsSite } = source;
  const { key, kind, status, at, addresses, audio = null, guid } = post;
  const siteUrl = source.siteUrl()?.replace(/\/+$/, "") ?? (needsSite ? UNKNOWN_SITE : null);
  const around = { place, siteUrl, parse, pathHere: () => null, slug: "", categories };
  const { pictures, notes } = examined(post, around);
  for (const src of pictures) if (!all.has(src)) all.add(apart(src));
  return apart({
    key,
    kind,
    title: plain(post.title, place, parse),
    status,
    at,
    addresses,
    notes,
    pictures: pictures.length,
    slug: slugFrom(post.slug),
    known: null,
    authors: post.authors,
    audio: audio && { ...audio, here: null },
    guid,
  });
}

/** Very deep HTML may exceed the stack; then sending it reports the problem. */
function examined(post: ForeignPost, around: Parameters<typeof examine>[1]): ReturnType<typeof examine> {
  try {
    return examine(post, around);
  } catch (error) {
    console.error(error);
    return { pictures: [], notes: ["Its text couldn’t be read."] };
  }
}

/** Finds the articles that were imported before, and gives the others free slugs. */
async function findKnown(rows: Row[], ask: Ask) {
  const used = new Set<string>();
  for (let at = 0; at < rows.length; at += KNOWN_ARTICLES) {
    const part = rows.slice(at, at + KNOWN_ARTICLES);
    const { items } = await ask({
      keys: part.map(({ key }) => key),
      // A path is one only with the address of the old site.
      guids: part.map(({ guid }) => (guid?.startsWith("/") ? "" : (guid ?? ""))),
      slugs: [],
    });
    for (const [index, row] of part.entries()) row.known = items[index] ?? null;
  }
  const withAudio = rows.filter(({ audio }) => audio !== null);
  for (let at = 0; at < withAudio.length; at += KNOWN_ARTICLES) {
    const part = withAudio.slice(at, at + KNOWN_ARTICLES);
    const { episodes = [] } = await ask({
      keys: [],
      slugs: [],
      episodes: part.map(({ guid, audio }) => ({ guid: guid ?? "", audio: audio?.url ?? "" })),
    });
    for (const [index, { audio }] of part.entries()) audio!.here = episodes[index] ?? null;
  }
  let open = rows
    .filter((row) => !isHere(row) && row.slug !== "")
    .map((row) => ({ row, base: row.slug, n: 1 }));
  while (open.length > 0) {
    for (const each of open) {
      while (used.has(each.row.slug)) each.row.slug = `${each.base}-${++each.n}`;
      used.add(each.row.slug);
    }
    const taken = new Set(
      await askTaken(
        open.map(({ row }) => row.slug),
        ask,
      ),
    );
    open = open.filter(({ row }) => taken.has(row.slug));
  }
}

async function askTaken(slugs: string[], ask: Ask) {
  const taken: string[] = [];
  for (let at = 0; at < slugs.length; at += KNOWN_ARTICLES)
    taken.push(...(await ask({ keys: [], slugs: slugs.slice(at, at + KNOWN_ARTICLES) })).taken);
  return taken;
}
