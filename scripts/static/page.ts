import { defaultTreeAdapter as tree, html, parse, serialize, type DefaultTreeAdapterTypes } from "parse5";
import { readdress } from "./readdress.ts";
import { GONE, OTHER, targetOf, type Move, type Target } from "./targets.ts";

type Node = DefaultTreeAdapterTypes.ChildNode;
type Parent = DefaultTreeAdapterTypes.ParentNode;
export type Element = DefaultTreeAdapterTypes.Element;
export type Document = DefaultTreeAdapterTypes.Document;

export type PageOptions = Move & {
  /** The owner's public address for emails; empty without one. */
  email: string;
};

/** A page as a file, and the files that it needs or links to. */
export type StaticPage = { document: Document; targets: Target[] };

export const TIMESTAMPS = "/static/timestamps.js";

/** Attributes with an address, or with several. */
const ADDRESSES = new Set(["href", "src", "action", "poster", "cite"]);
const ADDRESS_LISTS = new Set(["srcset", "imagesrcset"]);
const LINKED = new Set(["a", "area"]);

/**
 * Writes a page of the site as readers without scripts get it: without scripts and the controls that need one, with the
 * content of `<noscript>`, and with a sentence in the place of forms that need a server.
 */
export function toStaticPage(text: string, url: URL, options: PageOptions): StaticPage {
  const document = parse(text, { scriptingEnabled: false });
  const targets: Target[] = [];
  clean(document, { ...options, url, targets, isEmbed: url.pathname.startsWith("/embed/") });
  const head = find(document, ({ tagName }) => tagName === "head")!;
  if (find(document, isJump)) head.childNodes.push(scriptElement(head, TIMESTAMPS));
  return { document, targets };
}

export const serializePage = (document: Document) => serialize(document);

type Visit = PageOptions & {
  url: URL;
  targets: Target[];
  /** An embedded player: a page of its own with one script, which needs no server. */
  isEmbed: boolean;
};

function clean(parent: Parent, visit: Visit) {
  parent.childNodes = parent.childNodes.flatMap((node) => cleanNode(node, visit));
  for (const node of parent.childNodes) node.parentNode = parent;
}

function cleanNode(node: Node, visit: Visit): Node[] {
  if (tree.isCommentNode(node)) return [];
  if (tree.isTextNode(node)) cleanText(node, visit);
  if (!tree.isElementNode(node)) return [node];
  if (isLeftOut(node, visit)) return [];
  if (node.tagName === "noscript") {
    clean(node, visit);
    if (node.attrs.length === 0) return node.childNodes;
    // Its class applies to its content.
    const shown = createElement(node, "div", node.attrs);
    shown.childNodes = node.childNodes;
    return [shown];
  }
  if (node.tagName === "form" && !isSearch(node)) return [closedForm(node, visit.email)];
  if (node.tagName === "script") cleanData(node, visit);
  const isGone = cleanAttributes(node, visit);
  clean(node, visit);
  if (!isGone) return [node];
  return LINKED.has(node.tagName) && !isInFooter(node) ? node.childNodes : [];
}

/** Scripts run nothing here but an embedded player's own, and a button without a script does nothing but open a menu. */
function isLeftOut(element: Element, { isEmbed }: Visit) {
  const { tagName } = element;
  if (tagName === "script") return attribute(element, "type") !== "application/ld+json" && !isEmbed;
  if (isEmbed) return false;
  if (attribute(element, "class")?.split(/\s+/).includes("script-only")) return true;
  if (tagName === "button") return !has(element, "popovertarget") && !isInSearch(element);
  if (tagName === "meta") return attribute(element, "name") === "counted";
  if (tagName !== "link") return false;
  return (
    attribute(element, "rel") === "modulepreload" || (attribute(element, "type") ?? "").endsWith("+oembed")
  );
}

const isSearch = (form: Element) => attribute(form, "role") === "search";
const isInSearch = (element: Element) => Boolean(ancestor(element, isSearch));
const isInFooter = (element: Element) => Boolean(ancestor(element, ({ tagName }) => tagName === "footer"));

/** A text that is nothing but an address, such as that of a playlist's feed, is to be copied. Others are the owner's words. */
function cleanText(text: DefaultTreeAdapterTypes.TextNode, visit: Visit) {
  const isAddress = text.value.startsWith(`${visit.from}/`) && !/\s/.test(text.value);
  if (isAddress) text.value = absolute(text.value, visit) ?? text.value;
}

/** Structured data for search engines. */
function cleanData(script: Element, visit: Visit) {
  if (attribute(script, "type") !== "application/ld+json") return;
  for (const text of script.childNodes) {
    if (!tree.isTextNode(text)) continue;
    const data: unknown = JSON.parse(text.value);
    // As the site writes it: no text may end the element.
    text.value = JSON.stringify(moved(data, visit)).replaceAll("<", "\\u003c");
  }
}

/** JSON whose addresses of the site are those of the files. */
function moved(value: unknown, visit: Visit): unknown {
  if (typeof value === "string") {
    if (!value.startsWith(visit.from)) return value;
    // A search action's address has a placeholder.
    return value.includes("{") ? readdress(value, visit) : (absolute(value, visit) ?? value);
  }
  if (Array.isArray(value)) return value.map((each) => moved(each, visit));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, moved(each, visit)]));
}

/** Changes the addresses; whether one of them leads to what needs a server. */
function cleanAttributes(element: Element, visit: Visit) {
  let isGone = false;
  for (const each of element.attrs) {
    if (each.name === "content" && (each.value === visit.from || each.value.startsWith(`${visit.from}/`))) {
      each.value = absolute(each.value, visit) ?? each.value;
    } else if (each.name === "value" && each.value.startsWith("/media/")) {
      each.value = relative(each.value, visit) ?? each.value;
    } else if (ADDRESSES.has(each.name)) {
      if (each.value.startsWith("#")) continue;
      if (element.tagName === "a" && /^\/media\/.*[?&]download/.test(each.value)) {
        element.attrs = [...element.attrs, { name: "download", value: "" }];
      }
      const isIdentity = element.tagName === "link" && attribute(element, "rel") === "canonical";
      const found = isIdentity ? absolute(each.value, visit) : relative(each.value, visit);
      if (found === null) isGone = true;
      else each.value = found;
    } else if (ADDRESS_LISTS.has(each.name)) {
      each.value = each.value
        .split(", ")
        .map((part) => {
          const [address = "", ...size] = part.split(" ");
          return [relative(address, visit) ?? address, ...size].join(" ");
        })
        .join(", ");
    }
  }
  return isGone;
}

/** The address in links among the files; null for what needs a server. */
function relative(address: string, visit: Visit): string | null {
  const url = URL.parse(address, visit.url);
  if (!url) return address;
  const target = targetOf(url, visit);
  if (target === GONE) return null;
  if (target === OTHER) return readdress(address, visit);
  visit.targets.push(target);
  return target.href;
}

/** The same with the site's new address. */
function absolute(address: string, visit: Visit): string | null {
  const found = relative(address, visit);
  return found?.startsWith("/") ? visit.address + found : found;
}

/** It has the form's id, for links to it. */
function closedForm(form: Element, email: string): Element {
  const sentence = createElement(
    form,
    "p",
    form.attrs.filter(({ name }) => name === "id"),
  );
  if (email === "") {
    tree.insertText(sentence, "This form is closed.");
    return sentence;
  }
  const link = createElement(sentence, "a", [
    { name: "href", value: `mailto:${email}` },
    { name: "class", value: "link" },
    { name: "translate", value: "no" },
  ]);
  tree.insertText(link, email);
  tree.insertText(sentence, "This form is closed. Please write to ");
  tree.appendChild(sentence, link);
  tree.insertText(sentence, " instead.");
  return sentence;
}

/** A link to a second of the page's own recording. */
const isJump = (each: Element) =>
  each.tagName === "a" && /\?t=\d/.test(attribute(each, "href") ?? "") && !isAbsolute(each);
const isAbsolute = (each: Element) => /^[a-z]+:/i.test(attribute(each, "href") ?? "");

export function scriptElement(parent: Parent, src: string) {
  return createElement(parent, "script", [
    { name: "src", value: src },
    { name: "defer", value: "" },
  ]);
}

export function createElement(parent: Parent, name: string, attrs: Element["attrs"] = []): Element {
  const made = tree.createElement(name, html.NS.HTML, attrs);
  made.parentNode = parent;
  return made;
}

export const attribute = ({ attrs }: Element, name: string) =>
  attrs.find((each) => each.name === name)?.value;
const has = (each: Element, name: string) => attribute(each, name) !== undefined;

function ancestor(each: Element, fits: (element: Element) => boolean): Element | null {
  for (let up = each.parentNode; up; up = "parentNode" in up ? up.parentNode : null) {
    if (tree.isElementNode(up) && fits(up)) return up;
  }
  return null;
}

/** All elements, in the order of the document. */
export function* elementsIn(parent: Parent): Generator<Element> {
  for (const node of parent.childNodes) {
    if (!tree.isElementNode(node)) continue;
    yield node;
    yield* elementsIn(node);
  }
}

export const find = (parent: Parent, fits: (each: Element) => boolean) => elementsIn(parent).find(fits);

/** Elements within a word or a sentence: no blank is between their text and its neighbours'. */
const INLINE = new Set(
  "a abbr b bdi bdo cite code del dfn em i ins kbd mark q ruby s samp small strong sub sup u var wbr".split(
    " ",
  ),
);

/** The text of an element, with a blank between its parts. */
export function textOf(parent: Parent): string {
  return rawText(parent).replace(/\s+/g, " ").trim();
}

const rawText = (parent: Parent): string =>
  parent.childNodes
    .map((node) => {
      if (tree.isTextNode(node)) return node.value;
      if (!tree.isElementNode(node)) return "";
      return INLINE.has(node.tagName) ? rawText(node) : ` ${rawText(node)} `;
    })
    .join("");
