import { documents, matcherOf, pages, redirects, type Address } from "#worker/addresses.ts";
import { decoded } from "#worker/platform/text/decoded.ts";

const shortened = Object.keys(redirects).map((path): [string, Address] => [
  path,
  { parameters: [], ...(path.endsWith(":slug") && { format: "slug" }) },
]);

/** Finds an old or short address, which redirects. */
export const findShortened = matcherOf<Address>(Object.fromEntries(shortened));
const findAddress = matcherOf<Address>({ ...pages, ...documents });
/** Finds an address that exists as written. */
const findKnown = (path: string) => findShortened(path) ?? findAddress(path);

/** A path that a mistyped one may mean, and the query and fragment stuck to it. */
export type MeantPath = { path: string; query: string; hash: string };

/**
 * The paths that a badly copied path may mean, likeliest first: one with a sentence's punctuation, an invisible
 * character, `&utm_source=…`, an encoded query, or a file extension. None for an existing path.
 */
export function meantPathsOf(pathname: string): MeantPath[] {
  // A slug ends in a letter or a number, and its format allows a hyphen.
  if (findKnown(pathname) && !pathname.endsWith("-")) return [];
  const asWritten = decodedFully(pathname);
  const text = asWritten
    .normalize("NFKC")
    .replace(INVISIBLE, "")
    .replace(HYPHENS, "-")
    .replaceAll("&amp;", "&")
    .replace(/\/{2,}/g, "/");
  const end = text.search(FOREIGN);
  const written = (end < 0 ? text : text.slice(0, end)).toLowerCase();
  const rest = end < 0 ? "" : text.slice(end);
  if (written.endsWith("/") && !/^[?&#]/.test(rest) && !PUNCTUATION_NAME.test(asWritten)) return [];
  const [, query = ""] = /^[^#]*?[?&]([\w.-]+=[^#]*)/.exec(rest) ?? [];
  const [, hash = ""] = /#(.*)$/s.exec(rest) ?? [];
  const candidates = [...new Set([withoutEnd(written), withoutEnding(written)])];
  return candidates
    .filter((path) => path !== pathname && findKnown(path))
    .map((path) => ({ path, query, hash }));
}

/** Zero-width spaces, soft hyphens, byte order marks, direction marks, and the line breaks of a wrapped address. */
const INVISIBLE = /[\p{Cf}\p{Cc}]/gu;
/** Characters that programs substitute for a hyphen: hyphen, non-breaking hyphen, figure dash, en dash, minus. */
const HYPHENS = /[\u2010-\u2013\u2212]/g;
/** After the last slash only punctuation, blanks and invisible characters. */
const PUNCTUATION_NAME = /\/[\p{P}\p{Z}\p{Cf}]*$/u;
/** Characters that no path of this site has. */
const FOREIGN = /[^\w./-]/;

const withoutEnd = (path: string) => path.replace(/[^a-z0-9]+$/, "") || "/";

/** Not for a name that is only an extension, as `/.env`, or a fraction, as `/episode/1.5`: those are not mistyped. */
const withoutEnding = (path: string) =>
  path.replace(/([^/])\.(?!\d)[^/]*$/, "$1").replace(/\/index$/, "") || "/";

/** Programs may encode repeatedly; no path of this site has a percent sign. */
const MOST_ENCODED = 3;

function decodedFully(path: string) {
  let text = path;
  for (let times = 0; times < MOST_ENCODED && text.includes("%"); times++) {
    text = text.replace(/(?:%[0-9a-f]{2})+/gi, decoded);
  }
  return text;
}
