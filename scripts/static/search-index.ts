import MiniSearch from "minisearch";
import { searchOptions, type Found } from "./browser/search-words.ts";
import { attribute, elementsIn, find, textOf, type Document } from "./page.ts";

export type SearchDocument = Found & { text: string };

/** The index that the search page loads, as JSON. It has the words of the texts, and not the texts. */
export function searchIndexOf(documents: SearchDocument[]) {
  const index = new MiniSearch<SearchDocument>(searchOptions);
  index.addAll(documents);
  return JSON.stringify(index);
}

/** What the search finds of a page; null for one that only lists others. */
export function searchDocumentOf(document: Document, path: string): SearchDocument | null {
  const kind = kindOf(path);
  const main = find(document, ({ tagName }) => tagName === "main");
  if (!kind || !main) return null;
  const heading = find(main, ({ tagName }) => tagName === "h1");
  return {
    path,
    title: heading ? textOf(heading) : path,
    summary: metaOf(document, "name", "description"),
    kind,
    date: metaOf(document, "property", "article:published_time"),
    text: textOf(main),
  };
}

function kindOf(path: string) {
  if (/^\/episode\/\d+\/$/.test(path)) return "Episode";
  if (/^\/essays\/[^/]+\/$/.test(path) && !/^\/essays\/before-[\d-]+\/$/.test(path)) return "Essay";
  if (/^\/letters\/\d+\/$/.test(path)) return "Letter";
  return /^\/[\w-]+\/$/.test(path) && !LISTS.has(path) ? "Page" : null;
}
/** Their items are found. */
const LISTS = new Set(["/podcast/", "/conversations/", "/essays/", "/letters/", "/search/"]);

const metaOf = (document: Document, key: string, name: string) =>
  elementsIn(document)
    .filter((each) => each.tagName === "meta" && attribute(each, key) === name)
    .map((each) => attribute(each, "content") ?? "")
    .next().value ?? "";
