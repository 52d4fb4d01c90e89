import { PICTURE } from "#worker/imports/elsewhere/contract.ts";
import { numberOf, type Converted } from "./convert.ts";

type Place = {
  /** Of the old site, without a slash at its end. */
  siteUrl: string | null;
  /** Where a page of the old site is here; null for one that does not come. */
  pathHere: (address: string) => string | null;
};

/** Files and essays of a site like this one, by path alone or with its address. */
const OWN = /(?<![\w.:/-])(https?:\/\/[\w.:-]+)?(\/(media|essays)\/[\w./-]*\w)/g;
const PICTURES = /\.(?:jpe?g|png|gif|webp|avif)$/i;

/**
 * Markdown of another site like this one, as it is but for its pictures, which get numbers. Other files stay where they
 * were, and links between essays lead to where those are now.
 */
export function withNumbers(markdown: string, { siteUrl, pathHere }: Place, pictures: string[]): Converted {
  const list = [...pictures];
  const content = markdown.replace(OWN, (whole, site: string | undefined, path: string, folder: string) => {
    if (site !== undefined && site !== siteUrl) return whole;
    if (folder === "essays") return pathHere(path) ?? whole;
    const address = (siteUrl ?? "") + path;
    const number = PICTURES.test(path) ? numberOf(address, list) : null;
    return number === null ? address : PICTURE + number;
  });
  return { content, pictures: list, notes: [] };
}

/** Addresses of the pictures of such a text. */
export const picturesOf = (markdown: string, siteUrl: string | null) =>
  withNumbers(markdown, { siteUrl, pathHere: () => null }, []).pictures;
