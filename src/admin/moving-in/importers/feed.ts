import { counted } from "#site/ui/format.ts";
import { BadFile } from "../zip.ts";
import { apart, EPISODE, timeOf, type ForeignPost, type Read, type Source } from "./export.ts";
import { listed } from "./losses.ts";
import {
  childrenNamed,
  entriesOf,
  faultRemarks,
  htmlIn,
  textNamed,
  withoutFaults,
  wordsIn,
  type XmlFile,
  type XmlNode,
} from "./xml-entries.ts";

/** Bytes in which a feed says whose it is. */
const BEGINNING = 5000;

/** A feed (RSS or Atom), or the Atom file of Blogger's (Settings, Manage blog, Back up content). */
export async function openFeed(file: Blob, fileName: string): Promise<Source> {
  const beginning = await file.slice(0, BEGINNING).text();
  const isBlogger = /\btag:blogger\.com,|schemas\.google\.com\/blogger\//.test(beginning);
  const xml: XmlFile = { about: [], ...withoutFaults() };
  let entries = 0;
  let comments = 0;
  return {
    place: isBlogger ? "blogger" : "feed",
    fileName,
    siteUrl: () => siteOf(xml),
    needsSite: false,
    lists: [],
    close: async () => {},
    remarks: () => [
      ...faultRemarks(xml),
      ...(comments > 0
        ? [
            comments === 1
              ? "A comment isn’t imported."
              : `${comments.toLocaleString("en")} comments aren’t imported.`,
          ]
        : []),
      ...(isBlogger ? [] : ["A feed often has only the newest posts. Older ones aren’t in it."]),
    ],
    async *read(onProgress) {
      Object.assign(xml, { about: [], ...withoutFaults() });
      [entries, comments] = [0, 0];
      for await (const entry of entriesOf(file, xml, onProgress)) {
        entries++;
        const kind = isBlogger ? kindOfBlogger(entry) : "post";
        if (kind === "comment") comments++;
        else if (kind === "post" || kind === "page") yield readEntry(entry, kind, isBlogger, xml);
        else if (kind !== null) yield { leftOut: { title: textNamed(entry, "title"), why: kind } };
      }
      if (entries === 0)
        throw new BadFile(
          xml.isCutOff ? "The file is cut off before its first post." : "This feed has no posts.",
        );
    },
  };
}

/** Of the old site, without a slash at its end, from the feed's own link. */
function siteOf({ about }: XmlFile) {
  const links = about.filter(({ name }) => name === "link");
  const page = links.find(({ attributes: { rel = "alternate" } }) => rel === "alternate") ?? null;
  const url = page && URL.parse(page.attributes["href"] ?? wordsIn(page).trim());
  return url && /^https?:$/.test(url.protocol) ? url.origin + url.pathname.replace(/\/+$/, "") : null;
}

function readEntry(entry: XmlNode, kind: "post" | "page", isBlogger: boolean, xml: XmlFile): Read {
  const text = (...names: string[]) => textNamed(entry, ...names);
  const id = text("guid", "id");
  const feedUrl = addressOfFeed(xml);
  const link = linkOf(entry, siteOf(xml));
  const url = URL.parse(link ?? "");
  const { html, isWhole } = textOfEntry(entry);
  const tags = tagsOf(entry);
  const audio = audioOf(entry, feedUrl);
  const path = isBlogger
    ? text("blogger:filename") || (url?.pathname ?? "")
    : url
      ? url.pathname + url.search
      : "";
  return apart({
    post: {
      key: keyOf(isBlogger ? "blogger" : "feed", id || link || text("title")),
      kind,
      title: text("title"),
      slug: slugOf(path),
      ...stateOf(entry, isBlogger),
      notes: [
        ...stateOf(entry, isBlogger).notes,
        ...(audio ? [EPISODE] : []),
        ...(isWhole ? [] : ["The feed may have only the beginning of its text."]),
        ...commentsOf(entry),
        ...placeOf(entry),
      ],
      excerpt: isWhole && html !== text("description") ? excerptOf(entry) : "",
      text: { html },
      tags,
      categories: tags.slice(0, 1),
      image: null,
      metaTitle: "",
      metaDescription: text("blogger:metaDescription"),
      sourceUrl: null,
      authors: childrenNamed(entry, "author", "dc:creator")
        .map(
          (author) =>
            textNamed(author, "name") || (author.name === "dc:creator" ? wordsIn(author).trim() : ""),
        )
        .filter(Boolean),
      guid: id || null,
      addresses: path === "" || path === "/" ? [] : [path],
      ...(audio && { audio }),
    },
  });
}

/** Where the feed says that it is itself. */
const addressOfFeed = ({ about }: XmlFile) =>
  about.find(({ name, attributes }) => /^(?:atom\d*:)?link$/.test(name) && attributes["rel"] === "self")
    ?.attributes["href"] ?? null;

/** Characters, as the import takes them. */
const LONGEST_KEY = 500;
const keyOf = (place: string, id: string) => `${place} ${id}`.slice(0, LONGEST_KEY);

function linkOf(entry: XmlNode, siteUrl: string | null) {
  const links = childrenNamed(entry, "link");
  const page = links.find(({ attributes: { rel = "alternate" } }) => rel === "alternate");
  const given = page ? (page.attributes["href"] ?? wordsIn(page).trim()) : "";
  const guid = childrenNamed(entry, "guid").find(({ attributes }) => attributes["isPermaLink"] !== "false");
  return URL.parse(given || (guid ? wordsIn(guid).trim() : ""), siteUrl ?? undefined)?.href ?? null;
}

/** "/2020/01/on-wood.html" is on-wood. */
const slugOf = (path: string) =>
  path
    .split("?")[0]!
    .split("/")
    .findLast((part) => part !== "")
    ?.replace(/\.html?$/, "") ?? "";

/** A text that ends in a mark for what is left out is a beginning. */
const SHORTENED = /(?:\[?(?:…|&hellip;|&#8230;|\.\.\.)\]?|read more|continue reading)\s*(?:<\/[^>]*>\s*)*$/i;

function textOfEntry(entry: XmlNode) {
  const [content] = childrenNamed(entry, "content:encoded", "content", "xhtml:body", "body");
  if (content && wordsIn(content).trim() !== "") return { html: htmlOf(content), isWhole: true };
  const [summary] = childrenNamed(entry, "description", "summary");
  const html = summary ? htmlOf(summary) : "";
  // Atom says that a summary is one; RSS has whole texts there, too.
  return { html, isWhole: summary?.name !== "summary" && !SHORTENED.test(html) };
}

/** Atom's texts are plain by default, HTML, or XHTML; RSS's are HTML. */
function htmlOf(node: XmlNode) {
  const isAtom = node.name === "content" || node.name === "summary";
  const { type = isAtom ? "text" : "html" } = node.attributes;
  if (/xhtml|xml$/i.test(type) || node.name === "body" || node.name === "xhtml:body") return htmlIn(node);
  const words = wordsIn(node).trim();
  return /html/i.test(type)
    ? words
    : words
        .split(/\n{2,}/)
        .map((part) => `<p>${part.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</p>`)
        .join("\n");
}

const excerptOf = (entry: XmlNode) => {
  const [summary] = childrenNamed(entry, "summary", "description");
  const words = summary
    ? wordsIn(summary)
        .trim()
        .replaceAll(/<[^>]*>/g, "")
    : "";
  // WordPress generates an excerpt if the author wrote none.
  return SHORTENED.test(words) || words.includes("appeared first on") ? "" : words;
};

const KIND = "http://schemas.google.com/g/2005#kind";

function tagsOf(entry: XmlNode) {
  const names = childrenNamed(entry, "category", "dc:subject")
    .filter(({ attributes }) => attributes["scheme"] !== KIND)
    .map((node) => node.attributes["label"] || node.attributes["term"] || wordsIn(node).trim());
  return [...new Set(names.filter(Boolean))];
}

function stateOf(entry: XmlNode, isBlogger: boolean): Pick<ForeignPost, "status" | "at" | "notes"> {
  const at = timeOf(textNamed(entry, "published", "pubDate", "dc:date", "issued", "updated"));
  const status = textNamed(entry, "blogger:status").toUpperCase();
  const [control] = childrenNamed(entry, "app:control");
  if (control && /^yes$/i.test(textNamed(control, "app:draft")))
    return { status: "draft", at: null, notes: [] };
  if (!isBlogger || status === "LIVE" || (status === "" && childrenNamed(entry, "blogger:type").length === 0))
    return { status: "published", at, notes: [] };
  if (status === "DRAFT") return { status: "draft", at: null, notes: [] };
  if (status === "SCHEDULED") return { status: "scheduled", at, notes: [] };
  return {
    status: "draft",
    at,
    notes: [`Its status was “${status.slice(0, 40) || "unknown"}”, so it’s imported as a draft.`],
  };
}

/** What an entry of Blogger's is: a reason to leave it out, null for its settings and its template. */
function kindOfBlogger(entry: XmlNode) {
  const kind = childrenNamed(entry, "category").find(({ attributes }) => attributes["scheme"] === KIND);
  const type = (
    textNamed(entry, "blogger:type") || (kind?.attributes["term"] ?? "").split("#").at(-1)!
  ).toLowerCase();
  if (type === "comment") return "comment";
  if (type === "settings" || type === "template") return null;
  if (/TRASHED/i.test(textNamed(entry, "blogger:status")) || textNamed(entry, "blogger:trashed") !== "")
    return "It’s in the bin";
  // Blogger's public feed has only posts, without a type.
  if (type === "" || type === "post") return "post";
  return type === "page" ? type : `Its type is “${type.slice(0, 40)}”`;
}

function audioOf(entry: XmlNode, feed: string | null) {
  const found = childrenNamed(entry, "enclosure", "media:content").find(({ attributes }) =>
    /^(?:audio|video)\//.test(attributes["type"] ?? ""),
  );
  return found ? { url: found.attributes["url"] ?? null, feed } : null;
}

function commentsOf(entry: XmlNode) {
  const count = Number(textNamed(entry, "slash:comments", "thr:total"));
  return count > 0 ? [`${counted(count, "comment")} ${count === 1 ? "isn’t" : "aren’t"} imported.`] : [];
}

const placeOf = (entry: XmlNode) => {
  const [place] = childrenNamed(entry, "blogger:location");
  const names = place ? [textNamed(place, "blogger:name")].filter(Boolean) : [];
  return names.length > 0 ? [`Its location isn’t kept: ${listed(names)}.`] : [];
};
