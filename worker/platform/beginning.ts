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
