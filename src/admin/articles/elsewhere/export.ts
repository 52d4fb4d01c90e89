import type { NewCategory } from "#worker/articles/contract.ts";
import type { MovedArticle, PlaceName } from "#worker/imports/elsewhere/contract.ts";

/** A post or page as its place exports it. */
export type ForeignPost = {
  /** What it is known by, in any export and among all sites. */
  key: string;
  kind: "post" | "page";
  title: string;
  /** As it is at its place. */
  slug: string;
  status: MovedArticle["status"];
  /** Milliseconds UTC. */
  at: number | null;
  excerpt: string;
  text: ForeignText;
  tags: string[];
  /** By name, the first the most important. */
  categories: string[];
  /** The address is empty while it is not known yet. */
  image: { url: string; alt: string; caption?: string } | null;
  metaTitle: string;
  metaDescription: string;
  /** Where it had appeared before it was there. */
  sourceUrl: string | null;
  authors: string[];
  /** What its place's feed knows it by; a path of the old site where that is its address. Null where nobody knows. */
  guid: string | null;
  /** Paths on the old site, and queries of its home page. The first is its own. */
  addresses: string[];
  notes: string[];
};

/** A text as its place exports it. Only our own Markdown is read as such. */
export type ForeignText = { html: string } | { markdown: string };

/** What is left out, and why. */
export type LeftOut = { title: string; why: string };

export type Read = { post: ForeignPost } | { leftOut: LeftOut };

/** An export that can be gone through from its beginning, more than once, so that nobody holds all of it. */
export type Source = {
  place: PlaceName;
  fileName: string;
  /** Of the old site; null while the export does not tell. */
  siteUrl: () => string | null;
  /** Whether pictures are found only with the address of the old site. */
  needsSite: boolean;
  /** Lists of subscribers that came along. */
  lists: File[];
  /** The place's categories, which are made here where there are none of their names. */
  categories?: NewCategory[];
  /** @param onProgress Is told which part of it was read. */
  read: (onProgress: (part: number) => void) => AsyncGenerator<Read>;
  /** What is to be said of the export as a whole, once it was read. */
  remarks: () => string[];
  close: () => Promise<void>;
};

/** Milliseconds UTC of "2020-01-02 03:04:05", "2020-01-02T03:04:05.000Z" or a number of them; null for none. */
export function timeOf(value: unknown) {
  if (typeof value === "number") return isMoment(value) ? value : null;
  if (typeof value !== "string" || value.startsWith("0000")) return null;
  const text = value.trim();
  const at = Date.parse(
    /^\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?$/.test(text)
      ? `${text.replace(" ", "T")}${text.includes(" ") ? "Z" : ""}`
      : text,
  );
  return isMoment(at) ? at : null;
}

/** From 1970 on, in whole milliseconds. */
const isMoment = (at: number) => Number.isInteger(at) && at > 0 && at < 253_402_300_800_000;

/** A published post whose date is not told, or is older than this site takes. */
export const dateNotes = ({ status, at }: Pick<ForeignPost, "status" | "at">) =>
  status === "published" && at === null
    ? ["It has no date, or one before 1970. It gets the date of the import."]
    : [];

/** A pause in which the page can answer presses. */
export const breathe = () => new Promise<void>((resolve) => setTimeout(resolve));

/** A copy by itself: a text that was cut out of a longer one may keep all of that in memory. */
export const apart = <T>(value: T): T => structuredClone(value);
