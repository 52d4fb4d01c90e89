import { toText } from "hast-util-to-text";
import { Guid, type MovedArticle, type PlaceName } from "#worker/imports/importers/contract.ts";
import { beginningOf } from "#worker/platform/text/excerpt.ts";
import { visible } from "../visible.ts";
import { addressOf } from "./addresses.ts";
import { convert, numberOf, originalOf, prepare, type Converted, type ParseHtml } from "./convert.ts";
import type { ForeignPost, ForeignText } from "./export.ts";
import { GHOST_URL } from "./ghost.ts";
import { textOfEmail } from "./email-layout.ts";
import { listed } from "./losses.ts";
import { fromMarkdown, withNumbers } from "./markdown.ts";
import { textOfMedium } from "./medium-text.ts";
import { rewriteForMarkdown } from "#worker/platform/text/html-before-markdown.ts";

/** Facts about the whole export that the conversion of a post needs. */
export type Around = {
  place: PlaceName;
  /** Of the old site, without a slash at its end; null if unknown. */
  siteUrl: string | null;
  parse: ParseHtml;
  /** The path here for a path of the old site; null if that post is not imported. */
  pathHere: (address: string) => string | null;
  /** The article's slug here; empty if it is derived from the title. */
  slug: string;
  /** The site's categories. */
  categories: { id: number; name: string }[];
};

const LONGEST = {
  title: 255,
  opening: 80,
  excerpt: 1000,
  alt: 300,
  caption: 300,
  tag: 60,
  category: 80,
  metaTitle: 255,
  metaDescription: 500,
};
const MOST_TAGS = 20;
const INCOMPLETE = "Its picture has an incomplete address, so it’s imported without one.";
const MISSING = "Its picture isn’t in the export, so it’s imported without one.";

/** Captions of Ghost and WordPress are HTML. */
const captionOf = ({ image }: ForeignPost, { place, parse }: Around) =>
  plain(image?.caption ?? "", place === "rostrum" ? place : "wordpress", parse);

/** Converts a post of another place to the article that is sent for it. */
export function toArticle(post: ForeignPost, around: Around): MovedArticle {
  const { parse } = around;
  const reading = readingOf(post, around);
  const { base, here, cover } = reading;
  const { content, pictures, words, ...text } = textOf(post.text, around, reading);
  const { line, category, tags } = wordsAround(post, around);
  return {
    place: around.place,
    title:
      line(post.title, LONGEST.title) ||
      inLine(words().split("\n").find(hasWords) ?? "", LONGEST.opening) ||
      "Untitled",
    slug: around.slug,
    status: post.status,
    at: post.at,
    excerpt: shortened(plain(post.excerpt, around.place, parse), LONGEST.excerpt),
    content,
    categoryId: category?.id ?? null,
    tags: tags.slice(0, MOST_TAGS),
    image: cover ? numberOf(originalOf(cover), pictures) : null,
    imageAlt: cover ? line(post.image!.alt, LONGEST.alt) : "",
    imageCaption: cover ? inLine(captionOf(post, around), LONGEST.caption) : "",
    pictures,
    metaTitle: line(post.metaTitle, LONGEST.metaTitle),
    metaDescription: line(post.metaDescription, LONGEST.metaDescription),
    sourceUrl: post.sourceUrl === null ? null : (addressOf(here(post.sourceUrl), base)?.href ?? null),
    guid: guidOf(post, around.siteUrl),
    oldAddresses: post.addresses.filter((address) => address !== `/essays/${around.slug}`),
    notes: notesOf(post, around, { cover, notes: text.notes }),
  };
}

/** For the plan, before the conversion: the pictures of a post, and notes about what is left out or changed. */
export function examine(post: ForeignPost, around: Around): Pick<Converted, "pictures" | "notes"> {
  const reading = readingOf(post, around);
  const { pictures, notes } =
    "markdown" in post.text
      ? markdownOf(post.text, around, reading)
      : prepare(
          treeOf(post.text.html, around, reading),
          { base: reading.base, moved: () => null },
          reading.first,
        );
  return { pictures, notes: notesOf(post, around, { cover: reading.cover, notes }) };
}

/** The limits of the import's contract. */
export const MOST_NOTES = 20;
const LONGEST_NOTE = 300;

function notesOf(
  post: ForeignPost,
  around: Around,
  { cover, notes }: { cover: URL | null; notes: string[] },
) {
  const { category, tags } = wordsAround(post, around);
  const others = post.categories.filter((name) => name.toLowerCase() !== category?.name.toLowerCase());
  const lengthOf = (text: string) => plain(text, around.place, around.parse).length;
  const all = [
    ...post.notes,
    ...notes,
    ...(post.image && !cover ? [post.image.url ? INCOMPLETE : MISSING] : []),
    ...(lengthOf(post.title) > LONGEST.title ? ["Its title is shortened."] : []),
    ...(lengthOf(post.excerpt) > LONGEST.excerpt ? ["Its excerpt is shortened."] : []),
    // At other places, the first tag is the category.
    ...(around.place === "wordpress" && others.length > 0
      ? [`Categories that it has there are tags here: ${listed(others)}.`]
      : []),
    ...(tags.length > MOST_TAGS
      ? [`Only the first ${MOST_TAGS} of its ${tags.length} tags are imported.`]
      : []),
  ].map((note) => shortened(note, LONGEST_NOTE));
  return [...new Set(all)].slice(0, MOST_NOTES);
}

/** How its addresses are resolved, and its first picture. */
function readingOf(post: ForeignPost, { siteUrl }: Around): Reading {
  const here = (text: string) => (siteUrl === null ? text : text.replaceAll(GHOST_URL, siteUrl));
  const base = siteUrl === null ? null : (URL.parse(post.addresses[0] ?? "/", siteUrl)?.href ?? siteUrl);
  const cover = post.image?.url ? addressOf(here(post.image.url), base) : null;
  return { post, base, here, cover, first: cover ? [originalOf(cover)] : [] };
}

function wordsAround(post: ForeignPost, around: Around) {
  const line: Line = (text, most) => inLine(plain(text, around.place, around.parse), most);
  const category = categoryOf(post, around, line);
  return { line, category, tags: tagsOf(post, category?.name, line) };
}

type Reading = {
  post: ForeignPost;
  base: string | null;
  here: (text: string) => string;
  cover: URL | null;
  first: string[];
};
/** `words`: the text without Markdown, as a title for articles without one. */
type Read = Converted & { words: () => string };

function textOf(text: ForeignText, around: Around, reading: Reading): Read {
  if ("markdown" in text) return { ...markdownOf(text, around, reading), words: () => text.markdown };
  const tree = treeOf(text.html, around, reading);
  const place = { base: reading.base, moved: (url: URL) => movedTo(url, around) };
  return { ...convert(tree, place, reading.first), words: () => toText(tree) };
}

type MarkdownText = Extract<ForeignText, { markdown: string }>;

const markdownOf = ({ markdown, isForeign }: MarkdownText, around: Around, { base, first }: Reading) =>
  isForeign
    ? fromMarkdown(visible(markdown), { base, moved: (url) => movedTo(url, around) }, first)
    : withNumbers(markdown, around, first);

function treeOf(html: string, { parse, place }: Around, { here, base, post }: Reading) {
  const tree = parse(visible(here(html)));
  const { title, excerpt: subtitle } = post;
  if (place === "medium") return textOfMedium(tree, plain(subtitle, place, parse));
  return place === "beehiiv"
    ? textOfEmail(tree, { title, subtitle, cover: post.image?.url ?? "", base })
    : tree;
}

/** Null if unknown, or longer than in any feed: then the article gets a new one. */
function guidOf({ guid }: ForeignPost, siteUrl: string | null) {
  const isPath = guid?.startsWith("/");
  if (isPath && siteUrl === null) return null;
  return Guid.safeParse(isPath ? `${siteUrl}${guid}` : guid).data ?? null;
}

/** Links between posts lead to the posts' addresses here. */
function movedTo(url: URL, { siteUrl, pathHere }: Around) {
  const own = siteUrl === null ? null : URL.parse(siteUrl);
  if (!own || hostOf(url) !== hostOf(own)) return null;
  const path = pathHere(url.pathname + url.search) ?? pathHere(url.pathname);
  return path === null ? null : path + url.hash;
}

/** With and without www, by http and https, it is the same site. */
const hostOf = ({ host }: URL) => host.replace(/^www\./, "");

type Line = (text: string, most: number) => string;

function categoryOf({ categories }: ForeignPost, around: Around, line: Line) {
  const names = categories.map((name) => line(name, LONGEST.category).toLowerCase());
  return names.flatMap((name) => around.categories.find((each) => each.name.toLowerCase() === name) ?? [])[0];
}

/** Tags without the category's own name. */
function tagsOf({ tags }: ForeignPost, category: string | undefined, line: Line) {
  const known = new Set([category?.toLowerCase() ?? "", ""]);
  return tags.flatMap((tag) => {
    const words = line(tag, LONGEST.tag);
    const isKnown = known.has(words.toLowerCase());
    known.add(words.toLowerCase());
    return isKnown ? [] : words;
  });
}

/** Whole words from the beginning of a text. */
const shortened = (text: string, most: number) => beginningOf(text.trim(), most);
const inLine = (text: string, most: number) => shortened(text.replaceAll(/\s+/g, " "), most);

const hasWords = (text: string) => /[\p{L}\p{N}]/u.test(text);

/** Titles and excerpts as plain text. WordPress's are HTML. Other places have text, in old exports with entities. */
export function plain(text: string, place: PlaceName, parse: ParseHtml) {
  const html = place === "wordpress" ? text : text.replaceAll("<", "&lt;");
  // Decoded entities may be invisible characters.
  return visible(/[<&]/.test(html) ? toText(rewriteForMarkdown(parse(html))) : html).trim();
}
