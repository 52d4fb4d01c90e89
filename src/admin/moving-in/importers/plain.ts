import { toText } from "hast-util-to-text";
import type { PlaceName } from "#worker/imports/importers/contract.ts";
import { rewriteForMarkdown } from "#worker/platform/text/html-before-markdown.ts";
import { visible } from "../visible.ts";
import type { ParseHtml } from "./convert.ts";

/** Titles and excerpts as plain text. WordPress's are HTML. Other places have text, in old exports with entities. */
export function plain(text: string, place: PlaceName, parse: ParseHtml) {
  const html = place === "wordpress" ? text : text.replaceAll("<", "&lt;");
  // Decoded entities may be invisible characters.
  return visible(/[<&]/.test(html) ? toText(rewriteForMarkdown(parse(html))) : html).trim();
}
