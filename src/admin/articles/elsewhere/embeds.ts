import type { Element, ElementContent } from "hast";
import {
  element,
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
  /^(subscription-widget(-wrap.*)?|subscribe-widget|button-wrapper|captioned-button-wrap|install-substack-app-embed|community-chat|kg-signup-card|kg-cta-card|sharedaddy|jp-relatedposts|image-link-expand|kg-video-overlay|kg-video-player.*)$/;
const LEFT_OUT = [
  "script",
  "style",
  "noscript",
  "template",
  "form",
  "input",
  "button",
  "select",
  "svg",
  "link",
  "meta",
  "title",
];

/** What pages of this site do not frame becomes a link to it; what belongs to the old place goes. */
export function replaceEmbeds(tree: Parent) {
  replace(tree, (node) => {
    if (LEFT_OUT.includes(node.tagName) || hasClass(node, OWN_PARTS)) return [];
    return fromFrame(node) ?? fromCard(node) ?? fromAttributes(node) ?? fromEmbedBlock(node);
  });
}

function fromFrame(node: Element): ElementContent[] | null {
  if (!["iframe", "embed", "object"].includes(node.tagName)) return null;
  const address = pageOf(property(node, "src", "dataSrc", "data"));
  return address ? [linkParagraph(address, property(node, "title") || nameOf(address))] : [];
}

/** The page of a video rather than its player. */
function pageOf(address: string) {
  const url = URL.parse(address.startsWith("//") ? `https:${address}` : address);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  const [, video] = /^\/embed\/([\w-]{6,})/.exec(url.pathname) ?? [];
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

type Attributes = Partial<
  Record<"url" | "videoId" | "title" | "name" | "full_text" | "spotify_url", unknown>
>;

/** Substack says in an attribute what an embed shows. */
function fromAttributes(node: Element): ElementContent[] | null {
  const json = property(node, "dataAttrs");
  if (json === "" || node.tagName === "img" || node.tagName === "a") return null;
  const attributes = parse(json);
  const said = (name: keyof Attributes) => (typeof attributes[name] === "string" ? attributes[name] : "");
  const video = hasClass(node, /youtube/) && said("videoId");
  const vimeo = hasClass(node, /vimeo/) && said("videoId");
  const address = video
    ? `https://www.youtube.com/watch?v=${video}`
    : vimeo
      ? `https://vimeo.com/${vimeo}`
      : pageOf(said("url"));
  if (!address || hasClass(node, /image/)) return null;
  return [
    linkParagraph(
      address,
      said("title") || (said("name") && `${said("name")}: ${nameOf(address)}`) || nameOf(address),
    ),
  ];
}

function parse(json: string): Attributes {
  try {
    const read: unknown = JSON.parse(json);
    return typeof read === "object" && read !== null ? read : {};
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
