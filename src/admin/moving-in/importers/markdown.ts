import { PICTURE } from "#worker/imports/importers/contract.ts";
import { withoutGenerators } from "../batch/generators.ts";
import { hasHtml } from "../batch/html.ts";
import { addressOf } from "./addresses.ts";
import { numberOf, type Converted } from "./convert.ts";

type Place = {
  /** Of the old site, without a slash at its end. */
  siteUrl: string | null;
  /** The path here for a page of the old site; null for one that is not imported. */
  pathHere: (address: string) => string | null;
};

/** Files and essays of a site like this one, by path alone or with its address. */
const OWN = /(?<![\w.:/-])(https?:\/\/[\w.:-]+)?(\/(media|essays)\/[\w./-]*\w)/g;
const PICTURES = /\.(?:jpe?g|png|gif|webp|avif)$/i;

/**
 * Markdown of another Rostrum, unchanged except that pictures get numbers. Links to other files still lead to the old
 * site, and links between essays lead to their new addresses.
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

type Elsewhere = { base: string | null; moved: (url: URL) => string | null };

/** A picture or link in Markdown, or code, which is not changed. */
const PARTS =
  /^ {0,3}(`{3,}|~{3,})[^\n]*\n(?:.*?\n)??(?: {0,3}\1[^\n]*(?:\n|$)|$(?![^]))|(?<!`)`[^`\n]{1,1000}`|(!?\[[^\]\n]{0,1000}\]\(\s*<?)([^\s)<>]{1,4000})/gms;

/**
 * Markdown of another program, whose pictures get numbers and whose links between posts lead to where those are now. What
 * the program does to it and this site does not is named.
 */
export function fromMarkdown(markdown: string, { base, moved }: Elsewhere, pictures: string[]): Converted {
  const list = [...pictures];
  const read = withoutGenerators(markdown.replaceAll(/\r\n?/g, "\n"), { isMdx: false, isNote: false });
  const content = read.content.replace(
    PARTS,
    (whole, _fence: string | undefined, opening: string | undefined, address: string | undefined) => {
      const url = address === undefined ? null : addressOf(address, base);
      if (opening === undefined || url === null) return whole;
      if (!opening.startsWith("!")) return opening + (moved(url) ?? url.href);
      const number = numberOf(url.href, list);
      return opening + (number === null ? url.href : PICTURE + number);
    },
  );
  const notes = hasHtml(content) ? [...read.notes, "HTML inside the text isn’t shown."] : read.notes;
  return { content: content.trim(), pictures: list, notes };
}
