/**
 * A cut text without its last, broken word. A run of more than 40 characters stays broken: Chinese, Japanese and Thai
 * have no spaces between words.
 */
export const withoutBrokenWord = (head: string) => head.replace(/\s+\S{0,40}$|[\uD800-\uDBFF]$/, "");

/** The same with an ellipsis. */
export const withEllipsis = (head: string) => `${withoutBrokenWord(head).replace(/[\s.,;:–—-]+$/, "")}…`;

/** The text, cut to `max` characters with an ellipsis if it is longer. */
export const beginningOf = (text: string, max: number) =>
  text.length <= max ? text : withEllipsis(text.slice(0, max - 1));

const SENTENCE_END = /^[.!?…]+(?=\s|$)|^\s*\n/;
const WORD = /^[\p{L}\p{N}]/u;

/**
 * A text shown below a heading, without the heading's words if it begins with them; empty if nothing else remains. A
 * sentence that only begins with the same words stays whole, unless `evenWithin`: then an ellipsis replaces those
 * words.
 */
export function withoutHeading(text: string, heading: string, { evenWithin = false } = {}) {
  const [all, head] = [text.trim(), heading.trim()];
  const isCut = /…$|\.\.\.$/.test(head);
  const stem = head.replace(/(?:…|\.\.\.)$/, "").trimEnd();
  if (stem === "" || all.slice(0, stem.length).toLowerCase() !== stem.toLowerCase()) return text;
  const rest = all.slice(stem.length);
  if (rest === "" || /^[\s.!?…]*$/.test(rest)) return "";
  if (WORD.test(rest)) return text;
  if (isCut) return `…${rest.trimStart()}`;
  if (SENTENCE_END.test(rest) || /[.!?]$/.test(stem)) return rest.replace(/^[\s.!?…]+/, "");
  return evenWithin ? `…${rest.replace(/^[\s,;:–—-]+/, "")}` : text;
}

const END = " (copy)";

/** The title of a copy, in at most `max` characters. */
export const copyTitle = (title: string, max: number) => beginningOf(title, max - END.length) + END;
