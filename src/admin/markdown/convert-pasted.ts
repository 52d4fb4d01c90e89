import { elementsIn } from "../moving-in/importers/tree.ts";
import { parseHtml } from "../moving-in/to-markdown.ts";
import { pastedMarkdown, type Pasted } from "./pasted.ts";

/** Limits for a conversion within one or two seconds: a third of a long book. Word's HTML has much besides the text. */
const MOST_CHARACTERS = 5_000_000;
const MOST_ELEMENTS = 12_000;

/** Null if it is too long. */
export function convertPasted(html: string): Pasted | null {
  if (html.length > MOST_CHARACTERS) return null;
  const tree = parseHtml(html);
  let count = 0;
  for (const _ of elementsIn(tree)) if (++count > MOST_ELEMENTS) return null;
  return pastedMarkdown(tree, location.origin);
}
