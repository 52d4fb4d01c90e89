/**
 * A text that was cut off somewhere, without the word that this broke. What is too long for a word stays broken: Chinese,
 * Japanese and Thai have no spaces between words.
 */
export const withoutBrokenWord = (head: string) => head.replace(/\s+\S{0,40}$|[\uD800-\uDBFF]$/, "");

/** The same with an ellipsis. */
export const withEllipsis = (head: string) => `${withoutBrokenWord(head).replace(/[\s.,;:–—-]+$/, "")}…`;

/** The beginning of a text that is longer than `max` characters: so many at most, with the ellipsis. */
export const beginningOf = (text: string, max: number) =>
  text.length <= max ? text : withEllipsis(text.slice(0, max - 1));

const SENTENCE_END = /^[.!?…]+(?=\s|$)|^\s*\n/;
const WORD = /^[\p{L}\p{N}]/u;

/**
 * A text that is shown below a heading, without the heading's words where it begins with them; empty where it says no more.
 * A sentence that only begins with the same words is left whole, unless `evenWithin`: then an ellipsis leads on from the
 * heading.
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
