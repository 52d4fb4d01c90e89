import { toText } from "hast-util-to-text";
import { rewriteForMarkdown } from "#worker/platform/for-markdown.ts";
import { visible } from "../../imports/visible.ts";
import type { ParseHtml } from "./convert.ts";

/** Titles and excerpts may be HTML, too. */
export function plain(text: string, parse: ParseHtml) {
  const seen = visible(text);
  return (/[<&]/.test(seen) ? toText(rewriteForMarkdown(parse(seen))) : seen).trim();
}
