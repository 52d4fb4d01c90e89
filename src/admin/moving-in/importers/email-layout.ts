import type { Element, ElementContent, Root } from "hast";
import { element, elementsIn, find, hasClass, property, replace, text, wordsOf } from "./tree.ts";

const LAYOUT = new Set(["table", "tbody", "thead", "tfoot", "tr", "td"]);

type Around = { title: string; subtitle: string; cover: string; base: string | null };

/**
 * The text of an email of beehiiv's: without the tables that lay it out, without what surrounds it or its mailing machine
 * fills in, and without the title, subtitle and cover that the article has.
 */
export function textOfEmail(tree: Root, around: Around): Root {
  replace(tree, (node) => (isAround(node) ? [] : fromVideo(node)));
  const body = withoutLayout(tree);
  const own = [around.title, around.subtitle].map(simple).filter(Boolean);
  const cover = assetOf(around.cover);
  let isBeginning = true;
  replace(body, (node) => {
    if (/^(?:h[1-6]|p)$/.test(node.tagName)) {
      const words = simple(wordsOf(node));
      if (isBeginning && own.includes(words)) return [];
      if (node.tagName === "p" && /^(?:\.\.\.|…)$/.test(words)) return [element("hr", {})];
      if (words !== "") isBeginning = false;
    } else if (node.tagName === "img") {
      if (isBeginning && cover !== "" && assetOf(property(node, "src")) === cover) return [];
      isBeginning = false;
    }
    return null;
  });
  for (const node of elementsIn(body)) if (node.tagName === "a") withoutTracking(node, around.base);
  return body;
}

const simple = (words: string) => words.replaceAll(/\s+/g, " ").trim();

/** Of a picture at any size, what beehiiv has it by. */
const assetOf = (address: string) => /\/?(uploads\/asset\/.*)$/.exec(address)?.[1] ?? "";

/** Hidden words, the links to read online, share and leave, and what the mailing machine fills in for a referral. */
const isAround = (node: Element) =>
  /display:\s*none/i.test(property(node, "style")) ||
  hasClass(node, /^mob-block$/) ||
  (node.tagName === "td" && hasClass(node, /^[bf]$/)) ||
  property(node, "dataOpenTracking") !== "" ||
  (node.tagName === "p" && /\{\{rp_/.test(wordsOf(node))) ||
  (["a", "img"].includes(node.tagName) && property(node, "href", "src").startsWith("{{"));

/** A film is a picture of it with a button to play, which lead to it. */
function fromVideo(node: Element): ElementContent[] | null {
  const isFilm =
    node.tagName === "a" && find(node, (each) => /youtube_play_icon/.test(property(each, "src"))) !== null;
  if (!isFilm) return null;
  const href = property(node, "href");
  return [element("a", { href }, [text(simple(wordsOf(node)) || (URL.parse(href)?.hostname ?? href))])];
}

/** Tracking parameters that beehiiv adds to links. */
function withoutTracking(node: Element, base: string | null) {
  const url = URL.parse(property(node, "href"));
  if (url?.searchParams.get("utm_source") !== (URL.parse(base ?? "")?.hostname ?? "")) return;
  for (const name of ["utm_source", "utm_medium", "utm_campaign", "last_resource_guid", "_bhlid"])
    url.searchParams.delete(name);
  node.properties["href"] = url.href;
}

/**
 * The text of an email without its nested layout tables. A table with headings is part of the text and is not removed.
 */
function withoutLayout(tree: Root): Root {
  const blocks = find(tree, (node) => property(node, "id") === "content-blocks");
  const body: Root = { type: "root", children: blocks ? blocks.children : tree.children };
  replace(body, (node): ElementContent[] | null => {
    if (node.tagName === "table" && find(node, ({ tagName }) => tagName === "th")) return [node];
    if (!LAYOUT.has(node.tagName)) return null;
    const inner: Root = { type: "root", children: node.children };
    return [element("div", {}, withoutLayout(inner).children as ElementContent[])];
  });
  return body;
}
