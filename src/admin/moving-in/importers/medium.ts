import type { Zip } from "../zip.ts";
import { timeOf, type Read, type Source } from "./export.ts";

/** Bytes, unpacked. */
const MOST_POST = 20_000_000;
const isPost = (name: string) => /(?:^|\/)posts\/[^/]+\.html$/i.test(name) && !name.includes("__MACOSX");

/** Whether a zip has posts as Medium names them: `posts/2018-08-11_A-title-0123456789ab.html`, or `posts/draft_…`. */
export const isMedium = ({ names }: Zip) =>
  names.some((name) => /(?:^|\/)posts\/(?:\d{4}-\d\d-\d\d|draft)_[^/]*\.html$/i.test(name));

/** The zip that Medium exports (Settings, Security and apps, Download your information): a page for each post. */
export async function openMedium(zip: Zip, fileName: string): Promise<Source> {
  const posts = zip.names.filter(isPost);
  let siteUrl: string | null = null;
  let responses = 0;
  return {
    place: "medium",
    fileName,
    siteUrl: () => siteUrl,
    needsSite: false,
    lists: [],
    remarks: () => [
      "Medium’s export has no claps, and doesn’t say which posts were unlisted or for members only: look through what arrives as published.",
      ...(responses > 0
        ? ["Responses to other posts are in the export as posts. They’re imported as drafts."]
        : []),
    ],
    close: () => zip.close(),
    async *read(onProgress) {
      responses = 0;
      for (const [index, name] of posts.entries()) {
        onProgress(index / posts.length);
        const read = readPost(name, await (await zip.unpack(name, MOST_POST)).text());
        if ("post" in read) {
          siteUrl ??= read.origin;
          if (read.post.notes.includes(RESPONSE)) responses++;
        }
        yield read;
      }
    },
  };
}

const RESPONSE = "It looks like a response to another post, so it’s imported as a draft.";

/** A page of Medium's, in the microformat that it writes: h-entry. */
function readPost(name: string, html: string): Read & { origin: string | null } {
  const [, file = ""] = /([^/]+)\.html$/i.exec(name) ?? [];
  const [head = "", rest] = splitAt(html, /<section\b[^>]*\be-content\b[^>]*>/i);
  if (rest === undefined)
    return { leftOut: { title: file, why: "It isn’t a post as Medium exports them" }, origin: null };
  const end = rest.lastIndexOf("<footer");
  const [body, foot] = end < 0 ? [rest, ""] : [rest.slice(0, end), rest.slice(end)];
  const canonical = URL.parse(attributeOf(tagOf(foot, "a", "p-canonical"), "href"));
  const at = timeOf(attributeOf(tagOf(foot, "time", "dt-published"), "datetime"));
  // A published post without a date gets a note and becomes a draft.
  const isDraft = file.startsWith("draft_") || (at === null && canonical === null);
  const [, slug = "", id = ""] =
    /([^/]*?)-([\da-f]{8,})$/.exec(canonical?.pathname ?? "") ?? /_(.*?)-+([\da-f]{8,})$/.exec(file) ?? [];
  const title = innerOf(head, "h1", "p-name");
  const { image, text } = withoutCover(withoutTitle(body.replace(/<\/section>\s*$/i, "")));
  const isResponse = !isDraft && !/\bgraf--title\b/.test(body) && startsWith(body, title);
  return {
    origin: canonical?.origin ?? null,
    post: {
      key: `medium ${id || file}`.slice(0, 500),
      kind: "post",
      title,
      slug,
      status: isDraft || isResponse ? "draft" : "published",
      at: isDraft ? null : at,
      excerpt: innerOf(head, "section", "p-summary"),
      text: { html: text },
      tags: [...foot.matchAll(/<a\b[^>]*\bp-tag\b[^>]*>(.*?)<\/a>/gis)].map(([, words]) => wordsOf(words!)),
      categories: [],
      image,
      metaTitle: "",
      metaDescription: "",
      sourceUrl: null,
      authors: [innerOf(foot, "a", "p-author")].filter(Boolean),
      guid: id === "" ? null : `https://medium.com/p/${id}`,
      addresses: isDraft || !canonical ? [] : [canonical.pathname, ...(id === "" ? [] : [`/p/${id}`])],
      notes: isResponse ? [RESPONSE] : [],
    },
  };
}

function splitAt(text: string, mark: RegExp): [string, string | undefined] {
  const found = mark.exec(text);
  return found ? [text.slice(0, found.index), text.slice(found.index + found[0].length)] : [text, undefined];
}

const tagOf = (html: string, tag: string, name: string) =>
  new RegExp(`<${tag}\\b[^>]*\\b${name}\\b[^>]*>`, "i").exec(html)?.[0] ?? "";

const attributeOf = (tag: string, name: string) =>
  (new RegExp(`\\b${name}="([^"]*)"`, "i").exec(tag)?.[1] ?? "").replaceAll("&amp;", "&");

const innerOf = (html: string, tag: string, name: string) =>
  wordsOf(new RegExp(`<${tag}\\b[^>]*\\b${name}\\b[^>]*>(.*?)</${tag}>`, "is").exec(html)?.[1] ?? "");

/** References are decoded together with the title. */
const wordsOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();

/** A response has its first words for a title. */
const startsWith = (body: string, title: string) =>
  title !== "" && wordsOf(body).startsWith(title.replace(/…$/, "").trim());

/** The featured picture of a post, if it precedes the first paragraph. */
function withoutCover(body: string) {
  const beginning = body.slice(0, /<p\b/i.exec(body)?.index);
  const [figure = ""] =
    beginning
      .match(/<figure\b[^>]*>(?:(?!<\/figure>).)*<\/figure>/gis)
      ?.filter((each) => FEATURED.test(each)) ?? [];
  const url = attributeOf(/<img\b[^>]*>/i.exec(figure)?.[0] ?? "", "src");
  if (url === "") return { image: null, text: body };
  const [, caption] = /<figcaption\b[^>]*>(.*?)<\/figcaption>/is.exec(figure) ?? [];
  const alt = wordsOf(attributeOf(/<img\b[^>]*>/i.exec(figure)![0], "alt"));
  return { image: { url, alt, caption: caption ?? "" }, text: body.replace(figure, () => "") };
}

const FEATURED = /\bdata-is-featured="true"/i;

/** The text begins with a line and its own title once more. */
const withoutTitle = (body: string) =>
  body
    .replace(/<div\b[^>]*\bsection-divider\b[^>]*>\s*<hr\b[^>]*>\s*<\/div>/i, "")
    .replace(/<(h\d)\b[^>]*\bgraf--title\b[^>]*>.*?<\/\1>/is, "");
