import { parseFragment } from "parse5";
import { escapeHtml } from "#worker/platform/text/escape-html.ts";
import type { Found } from "./browser/search-words.ts";
import { attribute, find, scriptElement, type Document, type Element } from "./page.ts";

export const SEARCH_SCRIPT = "/search/search.js";
export const SEARCH_INDEX = "/search/index.json";

/** A result, in the classes of src/site/search/results.tsx: style sheets have only classes that the site uses. */
const row = ({ path, title, summary, kind, date }: Found) => `
  <li class="grid gap-x-10 gap-y-2 border-t border-rule py-6 first:border-t-0 first:pt-0 lg:grid-cols-12">
    <p class="kicker facts content-start lg:col-span-3 lg:pt-1">
      <span data-part="kind">${escapeHtml(kind)}</span>
      <span data-part="date"${date ? "" : " hidden"}>${escapeHtml(date)}</span>
    </p>
    <article class="grid gap-2 lg:col-span-9">
      <h3 class="headline text-xl"><a data-part="title" href="${escapeHtml(path)}" class="py-0.5 underline-offset-[0.15em] hover:underline">${escapeHtml(title)}</a></h3>
      <p data-part="summary" class="max-w-[38rem] font-reading text-base text-muted">${escapeHtml(summary)}</p>
    </article>
  </li>`;

/** Makes the site's search page one that searches in the browser; without scripts it lists all titles. */
export function toSearchPage(document: Document, all: Found[]) {
  const main = find(document, ({ tagName }) => tagName === "main")!;
  const answer = find(main, (each) => attribute(each, "aria-busy") !== undefined);
  const head = find(document, ({ tagName }) => tagName === "head");
  if (!answer || !head)
    throw new Error("The search page has another structure than expected: see src/site/search/page.tsx.");
  const empty = { path: "/", title: "", summary: "", kind: "", date: "" };
  replaceChildren(
    answer,
    `<p id="status" role="status" class="pt-4 pb-6 text-muted">All titles</p>
    <h2 class="sr-only">Results</h2>
    <ol id="results">${all.map((each) => row({ ...each, summary: "" })).join("")}</ol>
    <template id="result">${row(empty)}</template>`,
  );
  head.childNodes.push(scriptElement(head, SEARCH_SCRIPT));
}

function replaceChildren(parent: Element, markup: string) {
  const fragment = parseFragment(markup);
  parent.childNodes = fragment.childNodes;
  for (const node of parent.childNodes) node.parentNode = parent;
}
