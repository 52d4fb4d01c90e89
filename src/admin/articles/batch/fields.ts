import { momentsOf } from "#site/ui/zoned-time.ts";
import { articleStatuses, type ArticleStatus } from "#worker/articles/contract.ts";
import type { BatchArticle } from "#worker/imports/contract.ts";

/** Of an item that cannot be read; its message says why. */
export class Unreadable extends Error {}

/** The fields by the names that generators of sites and exports give them, in simple letters. */
const names: Record<string, keyof BatchArticle | "draft" | "published"> = {
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
  draft: "draft",
  published: "published",
  date: "publishedAt",
  publishedat: "publishedAt",
  publishdate: "publishedAt",
  pubdate: "publishedAt",
  scheduledfor: "scheduledFor",
  publishat: "scheduledFor",
  originalpublishdate: "originalPublishedAt",
  originalpublishedat: "originalPublishedAt",
  category: "category",
  categories: "category",
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

function nameOf(key: string) {
  const letters = key.toLowerCase().replace(/[^a-z]/g, "");
  return Object.hasOwn(names, letters) ? names[letters] : undefined;
}

/**
 * The fields of an article, of what front matter or JSON says, and the names that mean none of them. Times without a zone
 * are in `timeZone`.
 * @throws {Unreadable}
 */
export function readFields(raw: Record<string, unknown>, timeZone: string) {
  const article: Partial<BatchArticle> = {};
  const leftOut: string[] = [];
  for (const [key, value] of Object.entries(raw)) {
    const name = nameOf(key);
    if (name === undefined) leftOut.push(key);
    else if (value !== null && value !== undefined)
      Object.assign(article, readField(name, key, value, timeZone));
  }
  return { article, leftOut };
}

type Name = (typeof names)[string];

function readField(name: Name, key: string, value: unknown, timeZone: string): Partial<BatchArticle> {
  switch (name) {
    case "draft":
    case "published":
      return readSwitch(name, key, value);
    case "status":
      return { status: readStatus(value) };
    case "publishedAt":
    case "scheduledFor":
    case "originalPublishedAt":
      return { [name]: readTime(key, value, timeZone) };
    case "tags":
      return { tags: readList(key, value) };
    case "metaKeywords":
      return { metaKeywords: readList(key, value).join(", ") };
    case "category":
      return { category: readCategory(key, value) };
    default:
      return { [name]: readText(key, value) };
  }
}

/** `draft: true`, as Hugo has it, and `published: false`, as Jekyll does. The others say what is so anyway. */
function readSwitch(name: "draft" | "published", key: string, value: unknown): Partial<BatchArticle> {
  if (typeof value !== "boolean") throw new Unreadable(`“${key}” must be true or false.`);
  return value === (name === "draft") ? { status: "draft" } : {};
}

function readStatus(value: unknown): ArticleStatus {
  const word = String(value).toLowerCase();
  const status = word === "publish" ? "published" : articleStatuses.find((known) => known === word);
  if (status) return status;
  throw new Unreadable(`Unknown status “${String(value)}”. Use draft, published, scheduled or archived.`);
}

function readText(key: string, value: unknown) {
  if (typeof value === "string") return value.normalize("NFC");
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new Unreadable(`“${key}” must be text.`);
}

/** A list, or its words in one text with commas. */
function readList(key: string, value: unknown): string[] {
  const parts = Array.isArray(value) ? value : readText(key, value).split(",");
  return parts.map((part) => readText(key, nameIn(part)).trim()).filter(Boolean);
}

/** An article has one category: the first of a list. */
function readCategory(key: string, value: unknown) {
  const [first = null] = Array.isArray(value) ? value : [value];
  return first === null ? null : readText(key, nameIn(first)).trim() || null;
}

/** Of an object, as exports have categories and tags. */
const nameIn = (value: unknown) =>
  typeof value === "object" && value !== null && "name" in value ? value.name : value;

const LOCAL = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?)?$/;
const ZONED = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$|GMT$|[+-]\d{4}$/;

/** Milliseconds UTC. A number is those, or seconds; a day is its beginning. */
function readTime(key: string, value: unknown, timeZone: string) {
  const at = momentOf(value, timeZone);
  if (at !== undefined && at > 0) return at;
  throw new Unreadable(
    `Can’t read the date “${String(value)}” in “${key}”. Write 2026-11-25, or 2026-11-25 09:30.`,
  );
}

function momentOf(value: unknown, timeZone: string) {
  if (typeof value === "number") return Math.round(value < 1e11 ? value * 1000 : value);
  const text = String(value).trim();
  const [, day, clock] = LOCAL.exec(text) ?? [];
  if (day !== undefined && clock !== undefined) return momentsOf(`${day}T${clock}`, timeZone)[0];
  if (day !== undefined) return beginningOf(day, timeZone);
  if (!ZONED.test(text)) return undefined;
  // As ISO 8601 writes it: "2024-05-06 10:00:00 +0200".
  const at = Date.parse(text.replace(/^(\S+) (\d\d:\d\d\S*) ?/, "$1T$2"));
  return Number.isNaN(at) ? undefined : at;
}

/** Midnight; an hour later where clocks skip it. Undefined for a day that no calendar has. */
export const beginningOf = (day: string, timeZone: string) =>
  ["00:00", "01:00"].flatMap((clock) => momentsOf(`${day}T${clock}`, timeZone))[0];
