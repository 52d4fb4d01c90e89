import type { Element, ElementContent } from "hast";
import {
  element,
  elementsIn,
  find,
  hasClass,
  linkParagraph,
  property,
  replace,
  text,
  wordsOf,
  type Parent,
} from "./tree.ts";

/** Forms and buttons that belong to the old place. */
const OWN_PARTS =
  /^(subscription-widget(-wrap.*)?|subscribe-widget|button-wrapper|captioned-button-wrap|install-substack-app-embed|community-chat|kg-signup-card|kg-cta-card|sharedaddy|jp-relatedposts|image-link-expand|kg-video-overlay|kg-video-player.*|hide-text)$/;
const LEFT_OUT = [
  "script",
  "style",
  "noscript",
  "template",
  "form",
  "input",
  "button",
  "select",
  "link",
  "meta",
  "title",
];

/** What pages of this site do not frame becomes a link to it; what belongs to the old place goes. */
export function replaceEmbeds(tree: Parent, notes: Set<string>) {
  replace(tree, (node) => {
    if (LEFT_OUT.includes(node.tagName) || hasClass(node, OWN_PARTS)) return [];
    if (node.tagName === "svg") return fromDrawing(node, notes);
    return fromFrame(node, notes) ?? fromCard(node) ?? fromAttributes(node, notes) ?? fromEmbedBlock(node);
  });
}

function fromDrawing(node: Element, notes: Set<string>): ElementContent[] {
  if (!isIcon(node)) notes.add(DRAWING);
  return [];
}

export const DRAWING = "A picture embedded in the text itself is left out.";

/** Pixels; drawings that say something are larger. */
const ICON = 64;

function isIcon(node: Element) {
  const [, , breadth = ""] = property(node, "viewBox")
    .trim()
    .split(/[\s,]+/);
  const width = Number.parseFloat(property(node, "width") || breadth);
  return property(node, "ariaHidden") === "true" || width <= ICON;
}

function fromFrame(node: Element, notes: Set<string>): ElementContent[] | null {
  if (!["iframe", "embed", "object"].includes(node.tagName)) return null;
  const address = pageOf(property(node, "src", "dataSrc", "dataLazySrc", "data")) ?? pageWithin(node);
  if (address) return [linkParagraph(address, property(node, "title") || nameOf(address))];
  notes.add("An embed without a known address is left out.");
  return [];
}

/** An `object` of old says it in what it holds. */
function pageWithin(node: Element) {
  for (const each of elementsIn(node)) {
    const isMovie = each.tagName === "param" && /^(?:movie|src)$/i.test(property(each, "name"));
    const address = each.tagName === "embed" ? property(each, "src") : isMovie && property(each, "value");
    const page = address ? pageOf(address) : null;
    if (page) return page;
  }
  return null;
}

/** The page of a video rather than its player. */
function pageOf(address: string) {
  const url = URL.parse(address.startsWith("//") ? `https:${address}` : address);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  const [, video] = /^\/(?:embed|v)\/([\w-]{6,})/.exec(url.pathname) ?? [];
  if (/(^|\.)youtube(-nocookie)?\.com$/.test(url.hostname) && video)
    return `https://www.youtube.com/watch?v=${video}`;
  const [, number] = /^\/video\/(\d+)/.exec(url.pathname) ?? [];
  if (url.hostname === "player.vimeo.com" && number) return `https://vimeo.com/${number}`;
  return url.href;
}

const nameOf = (address: string) => new URL(address).hostname.replace(/^www\./, "");

/** Ghost's cards: a bookmark, a sound, a film, a file. */
function fromCard(node: Element): ElementContent[] | null {
  const words = (pattern: RegExp) => {
    const found = find(node, (each) => hasClass(each, pattern));
    return found ? wordsOf(found).trim() : "";
  };
  if (hasClass(node, /^kg-bookmark-card$/)) {
    const link = find(node, ({ tagName }) => tagName === "a");
    const href = link ? property(link, "href") : "";
    return href ? [linkParagraph(href, words(/^kg-bookmark-title$/))] : [];
  }
  if (hasClass(node, /^kg-(audio|video)-card$/)) {
    const media = find(node, ({ tagName }) => tagName === "audio" || tagName === "video");
    const href = media ? property(media, "src") : "";
    const caption = find(node, ({ tagName }) => tagName === "figcaption");
    const title = words(/^kg-audio-title$/) || (caption ? wordsOf(caption).trim() : "");
    return href ? [linkParagraph(href, title || fileNameOf(href))] : [];
  }
  if (hasClass(node, /^kg-file-card$/)) {
    const link = find(node, ({ tagName }) => tagName === "a");
    const href = link ? property(link, "href") : "";
    return href ? [linkParagraph(href, words(/^kg-file-card-title$/) || fileNameOf(href))] : [];
  }
  return null;
}

const fileNameOf = (address: string) => address.split(/[?#]/)[0]!.split("/").at(-1) ?? address;

type Attributes = Record<string, unknown>;

/** Substack says in an attribute what an element shows; the element itself may be empty. */
function fromAttributes(node: Element, notes: Set<string>): ElementContent[] | null {
  const json = property(node, "dataAttrs");
  if (json === "" || node.tagName === "img" || node.tagName === "a") return null;
  const attributes = parse(json);
  const shown = fromWords(node, attributes) ?? fromGallery(attributes) ?? fromAddress(node, attributes);
  if (!shown && node.children.length === 0)
    notes.add("Content that only works on the old site, such as a poll or a video, is left out.");
  return shown;
}

/** A person or a share that the text mentions, and a formula. */
function fromWords(node: Element, attributes: Attributes): ElementContent[] | null {
  const mention =
    (hasClass(node, /^mention-wrap$/) && said(attributes, "name")) ||
    (hasClass(node, /^cashtag-wrap$/) && said(attributes, "symbol"));
  if (mention) {
    const address = pageOf(said(attributes, "url"));
    return [address ? element("a", { href: address }, [text(mention)]) : text(mention)];
  }
  const formula = hasClass(node, /^latex-rendered$/) && said(attributes, "persistentExpression");
  return formula ? [element("pre", {}, [element("code", {}, [text(formula)])])] : null;
}

function fromGallery({ gallery }: Attributes): ElementContent[] | null {
  const pictures = picturesOf(gallery);
  if (!isAttributes(gallery) || pictures.length === 0) return null;
  const alt = said(gallery, "alt");
  const caption = said(gallery, "caption");
  return [
    ...pictures.map((src) => element("p", {}, [element("img", { src, alt })])),
    ...(caption ? [element("p", {}, [text(caption)])] : []),
  ];
}

/** Addresses of the pictures of one of Substack's galleries. */
export const galleryPictures = (node: Element) => picturesOf(parse(property(node, "dataAttrs"))["gallery"]);

function picturesOf(gallery: unknown) {
  const images = isAttributes(gallery) ? gallery["images"] : null;
  return Array.isArray(images)
    ? images.filter(isAttributes).flatMap((image) => said(image, "src") || [])
    : [];
}

function fromAddress(node: Element, attributes: Attributes): ElementContent[] | null {
  const video = hasClass(node, /youtube/) && said(attributes, "videoId");
  const vimeo = hasClass(node, /vimeo/) && said(attributes, "videoId");
  const address = video
    ? `https://www.youtube.com/watch?v=${video}`
    : vimeo
      ? `https://vimeo.com/${vimeo}`
      : pageOf(said(attributes, "url") || said(attributes, "canonical_url"));
  if (!address || hasClass(node, /image/)) return null;
  const name = said(attributes, "name");
  return [
    linkParagraph(
      address,
      said(attributes, "title") || (name && `${name}: ${nameOf(address)}`) || nameOf(address),
    ),
  ];
}

const said = (attributes: Attributes, name: string) => {
  const value = attributes[name];
  return typeof value === "string" ? value : "";
};

const isAttributes = (value: unknown): value is Attributes => typeof value === "object" && value !== null;

function parse(json: string): Attributes {
  try {
    const read: unknown = JSON.parse(json);
    return isAttributes(read) ? read : {};
  } catch {
    // What is no JSON says nothing.
    return {};
  }
}

/** WordPress has the address of what is embedded as text. */
function fromEmbedBlock(node: Element): ElementContent[] | null {
  if (node.tagName === "figure" && hasClass(node, /^wp-block-embed$/)) {
    const caption = find(node, ({ tagName }) => tagName === "figcaption");
    const address = /https?:\/\/\S+/.exec(wordsOf(node))?.[0];
    if (!address || find(node, ({ tagName }) => tagName === "iframe" || tagName === "blockquote"))
      return null;
    return [linkParagraph(address, address), ...(caption ? [element("p", {}, caption.children)] : [])];
  }
  if (node.tagName !== "p") return null;
  const words = wordsOf(node).trim();
  const isBare = /^https?:\/\/\S+$/.test(words) && !find(node, ({ tagName }) => tagName === "a");
  return isBare ? [element("p", {}, [element("a", { href: words }, [text(words)])])] : null;
}
