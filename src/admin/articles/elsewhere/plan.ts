import { oldAddressOf } from "#worker/articles/contract.ts";
import {
  KNOWN_ARTICLES,
  type KnownArticles,
  type MovedArticle,
  type PlannedArticles,
} from "#worker/imports/elsewhere/contract.ts";
import { slugFrom } from "../../imports/slug.ts";
import type { ParseHtml } from "./convert.ts";
import { galleryPictures } from "./embeds.ts";
import { apart, dateNotes, type ForeignPost, type Source } from "./export.ts";
import { picturesOf } from "./markdown.ts";
import { plain } from "./plain.ts";
import { elementsIn } from "./tree.ts";

/** What the owner has come. */
export type Choice = { posts: boolean; drafts: boolean; pages: boolean };

export type Row = {
  key: string;
  kind: ForeignPost["kind"];
  title: string;
  status: MovedArticle["status"];
  /** Milliseconds UTC. */
  at: number | null;
  pictures: number;
  /** Its address here; empty where its title gives one. */
  slug: string;
  addresses: string[];
  notes: string[];
  /** Of the article that was made of it before. */
  known: { id: number; slug: string } | null;
};

export type Plan = {
  rows: Row[];
  /** By the reason, how many were left out, and the titles of the first. */
  leftOut: Map<string, { count: number; titles: string[] }>;
  /** Different pictures of all texts. */
  pictures: number;
  authors: string[];
  remarks: string[];
  siteUrl: string | null;
};

const SHOWN_TITLES = 5;
const SHOWN_AUTHORS = 20;

export type Ask = (planned: PlannedArticles) => Promise<KnownArticles>;

/** Goes through an export and tells what would come; nothing of it is kept but what the page shows. */
export async function planOf(
  source: Source,
  ask: Ask,
  parse: ParseHtml,
  onProgress: (part: number) => void,
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
  for await (const read of source.read(onProgress)) {
    if ("leftOut" in read) leave(read.leftOut.why, read.leftOut.title);
    else if (isEmpty(read.post)) leave("It’s empty", read.post.title);
    else if (rows.has(read.post.key)) leave("It’s in the export twice", read.post.title);
    else {
      const row = rowOf(read.post, source, parse, pictures);
      rows.set(row.key, row);
      for (const author of read.post.authors) if (authors.size < SHOWN_AUTHORS) authors.add(apart(author));
    }
  }
  const list = [...rows.values()];
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

function rowOf(
  { text, image, ...post }: ForeignPost,
  { place, siteUrl }: Source,
  parse: ParseHtml,
  all: Set<string>,
): Row {
  const own = new Set(
    "markdown" in text ? picturesOf(text.markdown, siteUrl()) : picturesIn(text.html, parse),
  );
  if (image) own.add(image.url);
  for (const src of own) if (!all.has(src)) all.add(apart(src));
  const { key, kind, status, at, addresses } = post;
  const title = plain(post.title, place, parse);
  return apart({
    key,
    kind,
    title,
    status,
    at,
    addresses,
    notes: [...post.notes, ...dateNotes(post)],
    pictures: own.size,
    slug: slugFrom(post.slug),
    known: null,
  });
}

/** Addresses of the pictures that HTML shows, without reading all of it. */
function picturesIn(html: string, parse: ParseHtml) {
  return [...tagsIn(html)].flatMap((tag) => {
    if (/^<img/i.test(tag)) return /\ssrc\s*=\s*["']([^"']+)/i.exec(tag)?.[1] ?? [];
    return /\bimage-gallery-embed\b/i.test(tag) ? [...elementsIn(parse(tag))].flatMap(galleryPictures) : [];
  });
}

/** Tags that may show pictures, in one pass however many are never closed. */
function* tagsIn(html: string) {
  const opening = /<(?:img|div)\b/gi;
  for (let found = opening.exec(html); found; found = opening.exec(html)) {
    const end = html.indexOf(">", found.index) + 1;
    if (end === 0) return;
    yield html.slice(found.index, end);
    opening.lastIndex = end;
  }
}

/** Finds what was imported before, and gives the others addresses that are free. */
async function findKnown(rows: Row[], ask: Ask) {
  const used = new Set<string>();
  for (let at = 0; at < rows.length; at += KNOWN_ARTICLES) {
    const part = rows.slice(at, at + KNOWN_ARTICLES);
    const { items } = await ask({ keys: part.map(({ key }) => key), slugs: [] });
    for (const [index, row] of part.entries()) row.known = items[index] ?? null;
  }
  let open = rows
    .filter(({ known, slug }) => known === null && slug !== "")
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

export const isChosen = ({ kind, status }: Pick<Row, "kind" | "status">, choice: Choice) =>
  kind === "page" ? choice.pages : status === "draft" ? choice.drafts : choice.posts;

/** What comes: chosen, and not here already. */
export const comingOf = ({ rows }: Plan, choice: Choice) =>
  rows.filter((row) => row.known === null && isChosen(row, choice));

/** By an address of the old site, where that page is here: of what comes and is public, and of what came before. */
export function pathsOf({ rows }: Pick<Plan, "rows">, choice: Choice) {
  const paths = new Map<string, string>();
  for (const row of rows) {
    const to = pathOf(row, choice);
    if (!to) continue;
    for (const address of row.addresses) {
      const old = oldAddressOf(address);
      if (old !== null && !paths.has(old)) paths.set(old, to);
    }
  }
  return (address: string) => {
    const old = oldAddressOf(address);
    return old === null ? null : (paths.get(old) ?? null);
  };
}

/** Where its title gives the address, the old one leads there. */
function pathOf(row: Row, choice: Choice) {
  if (row.known) return `/essays/${row.known.slug}`;
  if (row.kind === "page" || row.status === "draft" || !isChosen(row, choice)) return null;
  return row.slug === "" ? (row.addresses[0] ?? null) : `/essays/${row.slug}`;
}
