import { momentsOf } from "#worker/platform/time/zoned-time.ts";
import type { BatchArticle } from "#worker/imports/contract.ts";
import { dateProblems, readForeignDate } from "#worker/imports/foreign-date.ts";
import { decoded } from "../importers/addresses.ts";
import { slugFrom } from "../slug.ts";
import { isRendering, isStateName, StateReader, switchOf } from "./state.ts";
import { Unreadable } from "./items.ts";

/** The fields by the names that generators of sites and exports give them, in simple letters. */
const names: Record<string, keyof BatchArticle> = {
  title: "title",
  slug: "slug",
  excerpt: "excerpt",
  description: "excerpt",
  summary: "excerpt",
  content: "content",
  body: "content",
  markdown: "content",
  html: "content",
  status: "status",
  scheduledfor: "scheduledFor",
  publishat: "scheduledFor",
  originalpublishdate: "originalPublishedAt",
  originalpublishedat: "originalPublishedAt",
  category: "category",
  categories: "category",
  tag: "tags",
  tags: "tags",
  metatitle: "metaTitle",
  seotitle: "metaTitle",
  metadescription: "metaDescription",
  seodescription: "metaDescription",
  metakeywords: "metaKeywords",
  keywords: "metaKeywords",
  sourceurl: "sourceUrl",
  canonicalurl: "sourceUrl",
  imagealt: "imageAlt",
  imagecaption: "imageCaption",
  caption: "imageCaption",
};

/** If several are given, the first counts: Hugo’s `publishDate` before its `date`. */
const DATES = ["publishdate", "pubdate", "publishedat", "publisheddate", "published", "publish", "date"];
const EXPIRIES = ["expirydate", "unpublishdate"];

export type Around = {
  /** Of times that name none. */
  timeZone: string;
  /** Of the file, with its folders if known. */
  path: string;
  /** How the source program writes lists: Jekyll’s have spaces, Obsidian’s either. */
  lists: "commas" | "spaces" | "either";
  /** Its place only publishes marked articles, as Obsidian does. */
  isSelected: boolean;
};

/**
 * The fields of an article, of what front matter or JSON says, and the names that mean none of them.
 * @throws {Unreadable}
 */
export function readFields(raw: Record<string, unknown>, around: Around) {
  const article: Partial<BatchArticle> = {};
  const leftOut: string[] = [];
  const notes: string[] = [];
  const state = new StateReader();
  const dates = new Map<string, number>();
  state.readPath(around.path);
  for (const [key, value] of entriesOf(raw)) {
    const simple = key.toLowerCase().replace(/[^a-z]/g, "");
    if (value === null || value === undefined) {
      if (!isKnown(simple)) leftOut.push(key);
    } else if (DATES.includes(simple) && !isSwitch(simple, value)) {
      dates.set(simple, readTime(key, value, around, notes));
    } else if (EXPIRIES.includes(simple)) state.readExpiry(readTime(key, value, around, notes), Date.now());
    else if (simple === "status") state.readStatus(value);
    else if (isStateName(simple) || isRendering(simple, value)) state.read(simple, key, value);
    else if (Object.hasOwn(names, simple))
      Object.assign(article, readField(names[simple]!, key, value, around, notes));
    else leftOut.push(key);
  }
  const date = DATES.find((name) => dates.has(name));
  if (date !== undefined) article.publishedAt = dates.get(date)!;
  return { article, leftOut, notes, state };
}

const isKnown = (simple: string) =>
  Object.hasOwn(names, simple) || isStateName(simple) || [...DATES, ...EXPIRIES].includes(simple);

/** Zola has tags and categories in a table of their own. */
const entriesOf = (raw: Record<string, unknown>) =>
  Object.entries(raw).flatMap(([key, value]) =>
    key === "taxonomies" && typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value)
      : [[key, value] as const],
  );

/** `published` and `publish` are a switch in one program and a date in another. */
const isSwitch = (simple: string, value: unknown) =>
  isStateName(simple) && (switchOf(value) !== undefined || !/\d/.test(String(value)));

function readField(
  name: keyof BatchArticle,
  key: string,
  value: unknown,
  around: Around,
  notes: string[],
): Partial<BatchArticle> {
  const { lists } = around;
  switch (name) {
    case "scheduledFor":
    case "originalPublishedAt":
      return { [name]: readTime(key, value, around, notes) };
    case "tags":
      return { tags: readList(key, value, lists) };
    case "metaKeywords":
      return { metaKeywords: readList(key, value, "commas").join(", ") };
    case "slug":
      return slugIn(key, value, notes);
    case "category":
      return { category: readCategory(key, value, lists, notes) };
    default:
      return { [name]: readText(key, value) };
  }
}

/** Docusaurus and others write a path, whose last part is the slug. An invalid slug gets a note. */
function slugIn(key: string, value: unknown, notes: string[]) {
  const given = readText(key, value);
  const slug = slugFrom(decoded(given.split("/").filter(Boolean).at(-1) ?? ""));
  if (slug !== "") return { slug };
  if (given.trim() !== "")
    notes.push(`“${given.slice(0, 80)}” can’t be its address here: its title gives one.`);
  return {};
}

function readText(key: string, value: unknown) {
  if (typeof value === "string") return value.normalize("NFC");
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new Unreadable(`“${key}” must be text.`);
}

/** A list, or its words in one text. Of Jekyll’s fields only those in the plural are lists. */
function readList(key: string, value: unknown, lists: Around["lists"]): string[] {
  // Hexo has lists within a list.
  const parts: unknown[] = Array.isArray(value) ? value.flat(5) : split(readText(key, value), key, lists);
  return parts
    .map((part) => readText(key, nameIn(part)).trim())
    .map((part) => (lists === "either" ? part.replace(/^#/, "") : part))
    .filter(Boolean);
}

function split(text: string, key: string, lists: Around["lists"]) {
  if (lists === "either") return text.split(/[\s,]+/);
  if (lists === "commas" || text.includes(",")) return text.split(",");
  return /s$/i.test(key) ? text.split(/\s+/) : [text];
}

/** An article has one category: the first of a list. */
function readCategory(key: string, value: unknown, lists: Around["lists"], notes: string[]) {
  const isOne = !Array.isArray(value) && (typeof value !== "string" || !/ies$/i.test(key));
  const found = isOne ? [readText(key, nameIn(value)).trim()] : readList(key, value, lists);
  const [first, ...others] = found.filter(Boolean);
  if (others.length > 0)
    notes.push(
      `It has ${others.length + 1} categories, and an article has one: “${first}” is used, ${others.map((name) => `“${name}”`).join(", ")} ${others.length === 1 ? "isn’t" : "aren’t"}.`,
    );
  return first ?? null;
}

/** Of an object, as exports have categories and tags; Docusaurus has a label. */
function nameIn(value: unknown) {
  if (typeof value !== "object" || value === null) return value;
  if ("name" in value) return value.name;
  return "label" in value ? value.label : value;
}

/**
 * Milliseconds UTC; a day is its beginning.
 * @throws {Unreadable}
 */
function readTime(key: string, value: unknown, { timeZone }: Around, notes: string[]) {
  const read = readForeignDate(value, { timeZone });
  if (read.at === null)
    throw new Unreadable(
      `Can’t read the date “${String(value)}” in “${key}”. ${dateProblems[read.problem]} Write 2026-11-25, or 2026-11-25 09:30.`,
    );
  if (read.hasTime && !read.hasZone && !notes.includes(noZone(timeZone))) notes.push(noZone(timeZone));
  return read.at;
}

const noZone = (timeZone: string) => `Its date names no time zone: it’s read in this site’s, ${timeZone}.`;

/** Midnight; an hour later if clocks skip it. Undefined for a day that does not exist. */
export const beginningOf = (day: string, timeZone: string) =>
  ["00:00", "01:00"].flatMap((clock) => momentsOf(`${day}T${clock}`, timeZone))[0];
