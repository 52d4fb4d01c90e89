import MiniSearch, { type SearchResult } from "minisearch";
import { queryOf } from "#worker/discovery/words.ts";
import { queryFor, searchOptions, type Found } from "./search-words.ts";

/**
 * The search page: finds `?q=` in the index. Without a query the page lists everything, as it does without scripts. The
 * template in the page is a result.
 */
const MOST = 50;
const INDEX = "/search/index.json";
/** Of a word's letters that may differ, if nothing is found. */
const TYPOS = 0.2;

const byId = (id: string) => document.getElementById(id)!;

async function readIndex() {
  const answer = await fetch(INDEX);
  if (!answer.ok) throw new Error(`The index answered ${answer.status}.`);
  return MiniSearch.loadJSONAsync<Found>(await answer.text(), searchOptions);
}

/** All words first; if nothing has them all, words that are spelt nearly so. */
async function search(query: string) {
  const index = await readIndex();
  const wanted = queryFor(query);
  if (!wanted) return [];
  const ranked = { boost: { title: 100, summary: 10 } };
  const found = index.search(wanted, ranked);
  return found.length > 0 ? found : index.search(query, { ...ranked, combineWith: "AND", fuzzy: TYPOS });
}

function show(results: SearchResult[]) {
  const list = byId("results");
  const template = byId("result") as HTMLTemplateElement;
  const items = results.slice(0, MOST).map((result) => {
    const { path, title, summary, kind, date } = result as unknown as Found;
    const item = document.importNode(template.content, true);
    const part = (name: string) => item.querySelector<HTMLElement>(`[data-part=${name}]`)!;
    part("kind").textContent = kind;
    part("date").textContent = date;
    part("date").hidden = date === "";
    part("title").textContent = title;
    part("title").setAttribute("href", path);
    part("summary").textContent = summary;
    return item;
  });
  list.replaceChildren(...items);
}

async function start() {
  const query = queryOf(new URLSearchParams(location.search).get("q") ?? "");
  if (query === "") return;
  const status = byId("status");
  (byId("q") as HTMLInputElement).value = query;
  status.textContent = "Searching…";
  try {
    const results = await search(query);
    show(results);
    status.textContent =
      results.length > 0
        ? `Best matches for “${query}”`
        : `No results for “${query}”. Try fewer or different words.`;
  } catch {
    status.textContent = "The search didn’t load. These are all titles.";
  }
}

void start();
