import { elementsIn } from "../articles/elsewhere/tree.ts";
import { parseHtml } from "../imports/to-markdown.ts";
import { pastedMarkdown, type Pasted } from "./pasted.ts";

/** What is converted within a second or two: a third of a long book. Word writes much that is not the text. */
const MOST_CHARACTERS = 5_000_000;
const MOST_ELEMENTS = 12_000;

/** Null where it is too long. */
export function convertPasted(html: string): Pasted | null {
  if (html.length > MOST_CHARACTERS) return null;
  const tree = parseHtml(html);
  let count = 0;
  for (const _ of elementsIn(tree)) if (++count > MOST_ELEMENTS) return null;
  return pastedMarkdown(tree, location.origin);
}
