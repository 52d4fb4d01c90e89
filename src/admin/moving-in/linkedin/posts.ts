import Papa from "papaparse";
import { wholeTextOf } from "../file-text.ts";
import { visible } from "../visible.ts";
import { BadFile } from "../zip.ts";
import { LinkedInPost, LOOKBACK_YEARS } from "#worker/imports/contract.ts";
import { readForeignDate } from "#worker/imports/foreign-date.ts";
import type { Archive } from "./archive.ts";
import { excerptOf, FOR_CONNECTIONS, openingOf, titleOf, withLink, type Found, type Post } from "./post.ts";

export type Convert = {
  textToMarkdown: (text: string) => string;
  htmlToMarkdown: (html: string) => string;
};

/** Characters of an article, as the site takes them. */
const LONGEST = 500_000;

/**
 * The owner's own posts and articles of the last two years. A post without words, or one that shares another post of
 * LinkedIn's, is not original.
 * @throws {BadFile} for a Shares.csv of other columns
 */
export async function postsOf(archive: Archive, now: Date, convert: Convert): Promise<Found> {
  const leftOut = { older: 0, notOriginal: 0, unread: 0 };
  const shares = archive.shares ? await readShares(archive.shares, convert, leftOut) : [];
  const articles = archive.articles.flatMap(
    ({ html }) => readArticle(html, convert) ?? (leftOut.unread++, []),
  );
  const since = new Date(now);
  since.setFullYear(since.getFullYear() - LOOKBACK_YEARS);
  const recent = [...shares, ...articles].filter(
    ({ originalPublishedAt: at }) => at >= since.getTime() || (leftOut.older++, false),
  );
  const unique = [...new Map(recent.map((post) => [post.sourceUrl, post])).values()];
  return { posts: unique.toSorted((a, b) => b.originalPublishedAt - a.originalPublishedAt), leftOut };
}

type Share = Record<
  "Date" | "ShareLink" | "ShareCommentary" | "SharedUrl" | "MediaUrl" | "Visibility",
  string
>;

async function readShares(file: Blob, convert: Convert, leftOut: Found["leftOut"]) {
  const { text } = await wholeTextOf(file);
  const { data, meta } = Papa.parse<Partial<Share>>(text, {
    header: true,
    skipEmptyLines: "greedy",
    transformHeader: (name) => columns[name.trim().toLowerCase()] ?? name,
  });
  if (!meta.fields?.includes("ShareLink") || !meta.fields.includes("ShareCommentary"))
    throw new BadFile("The Shares.csv in this archive doesn’t have LinkedIn’s columns.");
  return data.flatMap((share) => {
    const at = timeOf(share.Date ?? "");
    const address = addressOf(share.ShareLink ?? "");
    if (at === null || address === null) return (leftOut.unread++, []);
    const words = linesOf(share.ShareCommentary ?? "");
    if (words === "" || isPost(share.SharedUrl ?? "")) return (leftOut.notOriginal++, []);
    return toPost(share, words, address, at, convert);
  });
}

const columns: Record<string, string> = {
  date: "Date",
  sharelink: "ShareLink",
  sharecommentary: "ShareCommentary",
  sharedurl: "SharedUrl",
  mediaurl: "MediaUrl",
  visibility: "Visibility",
};

/** LinkedIn writes UTC: "2025-03-04 05:06:07", in its articles without seconds. */
function timeOf(text: string) {
  const [found] = /\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?/.exec(text) ?? [];
  return readForeignDate(found).at;
}

function addressOf(text: string) {
  const url = URL.parse(text.trim());
  if (!url || !/^https?:$/.test(url.protocol) || !/(?:^|\.)linkedin\.com$/.test(url.hostname)) return null;
  return LinkedInPost.shape.sourceUrl.safeParse(url.href).data ?? null;
}

const isPost = (text: string) => /linkedin\.com\/(?:feed\/update|posts)\//.test(text);

/** LinkedIn puts each line of a post into quotation marks of its own. */
function linesOf(words: string) {
  const text = visible(words.replaceAll(/\r\n?/g, "\n"));
  return (/"\n"/.test(text) ? text.replaceAll(/"?\n"?/g, "\n") : text).trim();
}

function toPost(
  { SharedUrl = "", MediaUrl = "", Visibility = "" }: Partial<Share>,
  words: string,
  sourceUrl: string,
  originalPublishedAt: number,
  { textToMarkdown }: Convert,
): Post {
  const shared = /^https?:\/\//.test(SharedUrl.trim()) ? SharedUrl.trim() : null;
  const title = titleOf(words);
  const isForConnections = /connections/i.test(Visibility);
  const notes: string[] = [];
  if (MediaUrl.trim() !== "") notes.push("Its picture stays at LinkedIn.");
  if (isForConnections) notes.push(FOR_CONNECTIONS);
  return {
    title,
    excerpt: excerptOf(title, words),
    content: textToMarkdown(withLink(words, shared)),
    sourceUrl,
    originalPublishedAt,
    isForConnections,
    kind: "post",
    notes,
  };
}

function readArticle(html: string, { htmlToMarkdown }: Convert): Post | null {
  const page = new DOMParser().parseFromString(html, "text/html");
  const heading = page.querySelector("h1");
  const title = (heading ?? page.querySelector("title"))?.textContent?.trim() ?? "";
  const sourceUrl = addressOf(heading?.querySelector("a")?.getAttribute("href") ?? "");
  const at = timeOf((page.querySelector(".published") ?? page.querySelector(".created"))?.textContent ?? "");
  // An article that was never published has no such line.
  if (title === "" || sourceUrl === null || at === null || !page.querySelector(".published")) return null;
  const hasPictures = page.querySelector("img") !== null;
  for (const part of page.querySelectorAll("h1, .created, .published, body > img")) part.remove();
  const content = htmlToMarkdown(visible(page.body.innerHTML)).trim();
  if (content.length > LONGEST) return null;
  return {
    title: openingOf(title, 250),
    excerpt: excerptOf(title, page.body.textContent ?? ""),
    content,
    sourceUrl,
    originalPublishedAt: at,
    kind: "article",
    notes: hasPictures ? ["Its pictures stay at LinkedIn."] : [],
  };
}
