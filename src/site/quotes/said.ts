import { wholeWords, type QuotePlace } from "#worker/sharing/quote-address.ts";

/** A paragraph of a transcript. A transcript without times is one, without a speaker. */
export type Said = {
  speaker: string;
  text: string;
  /** Seconds. */
  start?: number;
};

/** Class of the elements with the paragraphs' texts. */
const TEXTS = ".reading";

/**
 * The selected words of a transcript, in the first paragraph that the selection touches; null without any. While a browser
 * translates the page, its texts are not those of the transcript.
 */
export function selectedPlace(root: Element | null, said: Said[]): QuotePlace | null {
  const selection = getSelection();
  if (!root || !selection || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  for (const [paragraph, element] of root.querySelectorAll(TEXTS).entries()) {
    const { text } = said[paragraph] ?? {};
    if (!range.intersectsNode(element) || element.textContent !== text) continue;
    const from = lengthBefore(element, range.startContainer, range.startOffset) ?? 0;
    const to = lengthBefore(element, range.endContainer, range.endOffset) ?? text.length;
    const words = wholeWords(text, from, to);
    if (words) return { paragraph, from: words.from, to: words.to };
  }
  return null;
}

/** The length of an element's text before a point in it; null if the point is elsewhere. */
function lengthBefore(element: Element, node: Node, offset: number) {
  if (!element.contains(node)) return null;
  const before = document.createRange();
  before.selectNodeContents(element);
  before.setEnd(node, offset);
  return before.toString().length;
}

/** Characters: about two lines. */
const BEGINNING = 140;

/** The first sentence of a paragraph, or its beginning. */
export function beginningOf({ text }: Said, paragraph: number): QuotePlace | null {
  const sentence = /^[^]*?[.?!…。？！](?=\s|$)/u.exec(text.slice(0, BEGINNING))?.[0];
  const words = wholeWords(text, 0, Math.min(text.length, sentence?.length ?? BEGINNING));
  return words && { paragraph, from: words.from, to: words.to };
}
