import type { Element, ElementContent } from "hast";
import { decoded } from "./addresses.ts";
import { listed } from "./losses.ts";
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

/** Forms and buttons that only work at the old place. */
const OWN_PARTS =
  /^(subscription-widget(-wrap.*)?|subscribe-widget|button-wrapper|captioned-button-wrap|install-substack-app-embed|community-chat|kg-signup-card|kg-cta-card|sharedaddy|jp-relatedposts|newsletter-block|sqs-block-newsletter)$/;
/** Controls of players and pictures, whose content is converted separately. */
const CONTROLS = /^(image-link-expand|kg-video-overlay|kg-video-player.*|hide-text)$/;
const SILENT = ["style", "noscript", "template", "link", "meta", "title"];
const FORMS = ["form", "input", "button", "select", "textarea"];
const OWN = "Forms and buttons of the old site are left out.";

/** Replaces embeds that this site does not frame by links, and removes parts that only work at the old place. */
export function replaceEmbeds(tree: Parent, notes: Set<string>) {
  const linked = new Set<string>();
  const stay = new Set<string>();
  replace(tree, (node) => {
    if (SILENT.includes(node.tagName) || hasClass(node, CONTROLS)) return [];
    if (node.tagName === "button" && isHeading(node)) return node.children;
    const away = hasClass(node, /^button-wrapper$/) ? linkAway(node) : null;
    if (away) return [away];
    if (FORMS.includes(node.tagName) || hasClass(node, OWN_PARTS)) {
      notes.add(OWN);
      return [];
    }
    if (node.tagName === "script") return fromScript(node, notes);
    if (isDrawnByScript(node)) {
      notes.add(`A player or another part that a script draws is left out: ${node.tagName}.`);
      return [];
    }
    if (node.tagName === "svg") return fromDrawing(node, notes);
    return (
      fromFrame(node, notes, linked) ??
      fromCard(node, { linked, stay }) ??
      fromSquarespace(node, notes, { linked, stay }) ??
      fromMedia(node, notes, stay) ??
      fromAttributes(node, notes, linked) ??
      fromEmbedBlock(node, linked)
    );
  });
  if (linked.size > 0) notes.add(`What was embedded is a link: ${listed([...linked])}.`);
  if (stay.size > 0)
    notes.add(`Audio, video and files stay where they are, and are links: ${listed([...stay])}.`);
}

/** A Substack button that links to another site is part of the text. */
function linkAway(node: Element) {
  const link = find(node, ({ tagName }) => tagName === "a");
  const url = link && URL.parse(property(link, "href"));
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  const isOwn =
    /(?:^|\.)substack\.com$/.test(url.hostname) ||
    /\/(?:subscribe|comments|leaderboard|chat)\/?$/.test(url.pathname) ||
    ["action", "gift", "donate", "coupon"].some((name) => url.searchParams.has(name));
  return isOwn ? null : linkParagraph(url.href, wordsOf(link));
}

/** The heading of an accordion is the button that opens its section. */
const isHeading = (node: Element) =>
  property(node, "ariaExpanded", "ariaControls") !== "" || hasClass(node, /accordion|collaps|toggle/);

/** What became links: the sites that were embedded, and the files that remain at their addresses. */
type Named = { linked: Set<string>; stay: Set<string> };

/** Scripts of sites whose posts are embedded: the text already has the post's words and a link. */
const HELPERS =
  /(?:^|\.)(?:twitter|x|instagram|tiktok|threads|threads\.net|bsky|flickr|imgur|reddit|redditmedia|pinterest|facebook|embedly|mastodon)\.(?:com|net|app|social|org)$|^(?:embedr|assets|s|cdn)\.(?:flickr|pinterest|embedly|imgur)\.com$/;

function fromScript(node: Element, notes: Set<string>): ElementContent[] {
  const url = URL.parse(property(node, "src"), "https://old.invalid");
  const isData = /json|template|text\/(?!javascript)/i.test(property(node, "type"));
  if (isData || wordsOf(node).trim() + property(node, "src") === "") return [];
  if (url?.hostname === "gist.github.com" && url.pathname.endsWith(".js")) {
    const address = url.href.replace(/\.js(?=$|\?)/, "");
    return [linkParagraph(address, "gist.github.com")];
  }
  const host = property(node, "src") === "" ? null : url?.hostname;
  if (host && HELPERS.test(host)) return [];
  notes.add(
    host && host !== "old.invalid"
      ? `A player or another part that a script draws is left out: ${host}.`
      : "A script in its text is left out.",
  );
  return [];
}

/** A custom element without visible content. Footnotes are elements of this importer. */
const isDrawnByScript = (node: Element) =>
  node.tagName.includes("-") &&
  !node.tagName.startsWith("footnote-") &&
  wordsOf(node).trim() === "" &&
  !find(node, isShown);

/** Replaces audio, video or a file by a link with text. */
function fromMedia(node: Element, notes: Set<string>, stay: Set<string>): ElementContent[] | null {
  const isFigure = node.tagName === "figure" && hasClass(node, /^wp-block-(?:audio|video)$/);
  const isFile = hasClass(node, /^wp-block-file$/);
  if (isFile) {
    const link = find(node, ({ tagName }) => tagName === "a");
    const href = link ? property(link, "href") : "";
    if (href === "") return null;
    stay.add(fileNameOf(href));
    return [linkParagraph(href, wordsOf(link!).trim() || fileNameOf(href))];
  }
  if (!isFigure && node.tagName !== "audio" && node.tagName !== "video") return null;
  const media = isFigure ? find(node, ({ tagName }) => tagName === "audio" || tagName === "video") : node;
  if (!media) return null;
  const source = find(media, ({ tagName }) => tagName === "source");
  const href = property(media, "src", "dataSrc") || (source ? property(source, "src") : "");
  if (href === "" || href.startsWith("data:") || href.startsWith("blob:")) {
    notes.add(MISSING_MEDIA);
    return [];
  }
  stay.add(fileNameOf(href));
  const caption = find(node, ({ tagName }) => tagName === "figcaption");
  const words = (caption ? wordsOf(caption) : property(media, "title", "ariaLabel")).trim();
  return [linkParagraph(href, words || fileNameOf(href))];
}

const MISSING_MEDIA = "Audio or a video without a known address is left out.";

/** Squarespace has the content of a block in attributes, from which its own script renders it. */
function fromSquarespace(
  node: Element,
  notes: Set<string>,
  { linked, stay }: Named,
): ElementContent[] | null {
  if (hasClass(node, /^sqs-audio-embed$/)) {
    const href = property(node, "dataUrl", "dataMobileUrl");
    if (href === "") {
      notes.add(MISSING_MEDIA);
      return [];
    }
    stay.add(fileNameOf(href));
    return [linkParagraph(href, property(node, "dataTitle") || fileNameOf(href))];
  }
  const block = property(node, "dataBlockJson") === "" ? {} : parse(property(node, "dataBlockJson"));
  const html = property(node, "dataHtml") || said(block, "html") || said(block, "url");
  if (html !== "" && !find(node, isShown) && wordsOf(node).trim() === "") {
    const address = pageOf(/\bsrc\s*=\s*["']([^"']+)/i.exec(html)?.[1] ?? said(block, "url"));
    if (address) {
      linked.add(nameOf(address));
      return [linkParagraph(address, nameOf(address))];
    }
    notes.add("An embed without a known address is left out.");
    return [];
  }
  if (
    hasClass(node, /^sqs-video-wrapper$/) &&
    !find(node, ({ tagName }) => ["iframe", "video"].includes(tagName))
  ) {
    notes.add(MISSING_MEDIA);
    return [];
  }
  const name = blockOf(node);
  if (name === null || name === "spacer" || find(node, isShown) || wordsOf(node).trim() !== "") return null;
  notes.add(`A block that only Squarespace can show is left out: ${name}.`);
  return [];
}

/** The type of a block, such as `form` of `sqs-block-form`. */
function blockOf({ properties }: Element) {
  const names = Array.isArray(properties["className"]) ? properties["className"].map(String) : [];
  if (!names.includes("sqs-block")) return null;
  const kind =
    names.find((name) => /^(?!sqs-)[a-z]+-block$/.test(name)) ??
    names.find((name) => name.startsWith("sqs-block-"));
  return kind?.replace(/^sqs-block-|-block$/g, "") ?? "unknown";
}

const SILENT_BLOCKS = ["hr", "img", "iframe", "audio", "video", "embed", "object", "svg"];
const isShown = (node: Element) =>
  SILENT_BLOCKS.includes(node.tagName) ||
  ["dataHtml", "dataUrl", "dataAttrs"].some((name) => property(node, name) !== "");

function fromDrawing(node: Element, notes: Set<string>): ElementContent[] {
  if (!isIcon(node)) notes.add(DRAWING);
  return [];
}

export const DRAWING = "A picture embedded in the text itself is left out.";

/** Pixels: pictures up to this size are icons. */
const ICON = 64;

function isIcon(node: Element) {
  const [, , breadth = ""] = property(node, "viewBox")
    .trim()
    .split(/[\s,]+/);
  const width = Number.parseFloat(property(node, "width") || breadth);
  return property(node, "ariaHidden") === "true" || width <= ICON;
}

function fromFrame(node: Element, notes: Set<string>, linked: Set<string>): ElementContent[] | null {
  if (!["iframe", "embed", "object"].includes(node.tagName)) return null;
  const attributes = parse(property(node, "dataAttrs"));
  const address =
    pageOf(said(attributes, "url")) ??
    pageOf(property(node, "src", "dataSrc", "dataLazySrc", "data")) ??
    pageWithin(node);
  if (address) {
    linked.add(nameOf(address));
    return [linkParagraph(address, said(attributes, "title") || property(node, "title") || nameOf(address))];
  }
  notes.add("An embed without a known address is left out.");
  return [];
}

/** The page of an old `object` element, from its children. */
function pageWithin(node: Element) {
  for (const each of elementsIn(node)) {
    const isMovie = each.tagName === "param" && /^(?:movie|src)$/i.test(property(each, "name"));
    const address = each.tagName === "embed" ? property(each, "src") : isMovie && property(each, "value");
    const page = address ? pageOf(address) : null;
    if (page) return page;
  }
  return null;
}

/** The page of a video instead of its player. */
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

/** Ghost's cards: a bookmark, audio, video, a file; and Substack's file and older tweet. */
function fromCard(node: Element, { linked, stay }: Named): ElementContent[] | null {
  const words = (pattern: RegExp) => {
    const found = find(node, (each) => hasClass(each, pattern));
    return found ? wordsOf(found).trim() : "";
  };
  if (hasClass(node, /^kg-bookmark-card$/)) {
    const link = find(node, ({ tagName }) => tagName === "a");
    const href = link ? property(link, "href") : "";
    if (URL.canParse(href)) linked.add(nameOf(href));
    const caption = find(node, ({ tagName }) => tagName === "figcaption");
    return href
      ? [
          linkParagraph(href, words(/^kg-bookmark-title$/)),
          ...(caption ? [element("p", {}, caption.children)] : []),
        ]
      : [];
  }
  if (hasClass(node, /^file-embed-wrapper$/)) {
    const link = find(node, (each) => hasClass(each, /^file-embed-button$/));
    const href = link ? property(link, "href") : "";
    if (href) stay.add(words(/^file-embed-details-h1$/) || fileNameOf(href));
    return href ? [linkParagraph(href, words(/^file-embed-details-h1$/) || fileNameOf(href))] : [];
  }
  if (hasClass(node, /^tweet$/) && property(node, "dataAttrs") === "") {
    const link = find(node, ({ tagName }) => tagName === "a");
    const href = link ? property(link, "href") : "";
    if (!URL.canParse(href)) return null;
    linked.add(nameOf(href));
    return [linkParagraph(href, `${words(/^tweet-author-name$/) || "Post"}: ${nameOf(href)}`)];
  }
  if (hasClass(node, /^kg-(audio|video)-card$/)) {
    const media = find(node, ({ tagName }) => tagName === "audio" || tagName === "video");
    const href = media ? property(media, "src") : "";
    const caption = find(node, ({ tagName }) => tagName === "figcaption");
    const title = words(/^kg-audio-title$/) || (caption ? wordsOf(caption).trim() : "");
    if (href) stay.add(fileNameOf(href));
    return href ? [linkParagraph(href, title || fileNameOf(href))] : [];
  }
  if (hasClass(node, /^kg-file-card$/)) {
    const link = find(node, ({ tagName }) => tagName === "a");
    const href = link ? property(link, "href") : "";
    if (href) stay.add(fileNameOf(href));
    return href ? [linkParagraph(href, words(/^kg-file-card-title$/) || fileNameOf(href))] : [];
  }
  return null;
}

const fileNameOf = (address: string) => decoded(address.split(/[?#]/)[0]!.split("/").at(-1) || address);

type Attributes = Record<string, unknown>;

/** Substack has the content of an element in an attribute; the element itself may be empty. */
function fromAttributes(node: Element, notes: Set<string>, linked: Set<string>): ElementContent[] | null {
  const json = property(node, "dataAttrs");
  if (json === "" || node.tagName === "img" || node.tagName === "a") return null;
  const attributes = parse(json);
  const shown =
    fromPicture(node, attributes) ??
    fromWords(node, attributes) ??
    fromGallery(attributes) ??
    fromAddress(node, attributes, linked);
  if (!shown && node.children.length === 0)
    notes.add("Content that only works on the old site, such as a poll or a video, is left out.");
  return shown;
}

/** A Substack picture without an img element. */
function fromPicture(node: Element, attributes: Attributes): ElementContent[] | null {
  const src = hasClass(node, /^image3$/) && said(attributes, "src");
  if (!src) return null;
  const picture = element("img", { src, alt: said(attributes, "alt") || said(attributes, "title") });
  const href = pageOf(said(attributes, "href"));
  return [element("p", {}, [href ? element("a", { href }, [picture]) : picture])];
}

/** A mentioned person or share, and a formula. */
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

function picturesOf(gallery: unknown) {
  const images = isAttributes(gallery) ? gallery["images"] : null;
  return Array.isArray(images)
    ? images.filter(isAttributes).flatMap((image) => said(image, "src") || [])
    : [];
}

function fromAddress(node: Element, attributes: Attributes, linked: Set<string>): ElementContent[] | null {
  const video = hasClass(node, /youtube/) && said(attributes, "videoId");
  const vimeo = hasClass(node, /vimeo/) && said(attributes, "videoId");
  const address = video
    ? `https://www.youtube.com/watch?v=${video}`
    : vimeo
      ? `https://vimeo.com/${vimeo}`
      : pageOf(said(attributes, "url") || said(attributes, "canonical_url"));
  if (!address || hasClass(node, /image/)) return null;
  const name = said(attributes, "name");
  linked.add(nameOf(address));
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
    // Invalid JSON is ignored.
    return {};
  }
}

/** WordPress has the address of an embed as text. */
function fromEmbedBlock(node: Element, linked: Set<string>): ElementContent[] | null {
  if (node.tagName === "figure" && hasClass(node, /^wp-block-embed$/)) {
    const caption = find(node, ({ tagName }) => tagName === "figcaption");
    const address = /https?:\/\/\S+/.exec(wordsOf(node))?.[0];
    if (!address || find(node, ({ tagName }) => tagName === "iframe" || tagName === "blockquote"))
      return null;
    if (URL.canParse(address)) linked.add(nameOf(address));
    return [linkParagraph(address, address), ...(caption ? [element("p", {}, caption.children)] : [])];
  }
  if (node.tagName !== "p") return null;
  const words = wordsOf(node).trim();
  const isBare = /^https?:\/\/\S+$/.test(words) && !find(node, ({ tagName }) => tagName === "a");
  return isBare ? [element("p", {}, [element("a", { href: words }, [text(words)])])] : null;
}
