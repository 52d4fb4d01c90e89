import { toText } from "hast-util-to-text";
import type { PlaceName } from "#worker/imports/importers/contract.ts";
import { rewriteForMarkdown } from "#worker/platform/text/html-before-markdown.ts";
import { visible } from "../visible.ts";
import type { ParseHtml } from "./convert.ts";

/** Titles and excerpts, which are HTML at WordPress. Elsewhere they are text, with the entities of old exports in it. */
export function plain(text: string, place: PlaceName, parse: ParseHtml) {
  const html = place === "wordpress" ? text : text.replaceAll("<", "&lt;");
  // Entities may stand for what nobody sees.
  return visible(/[<&]/.test(html) ? toText(rewriteForMarkdown(parse(html))) : html).trim();
}
