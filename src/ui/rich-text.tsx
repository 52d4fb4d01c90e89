import { cx } from "./cx.ts";
import { preloadFont } from "./fonts/preload.ts";

type RichTextProps = {
  /** Sanitized by the server. */
  html: string;
  /** Collapsed at first: the italic font is not preloaded. */
  folded?: boolean;
  /**
   * A text of its own page: set with old-style figures, and with an initial of two lines if its first lines allow it.
   */
  long?: boolean;
  className?: string;
};

/** Elements that `.reading` sets in italics. */
const ITALIC = /<(?:em|i|cite)\b/;

/** A paragraph at the beginning, without its tag. */
const FIRST_PARAGRAPH = /^\s*<p(?: [^>]*)?>([\s\S]*?)<\/p>/;
/**
 * Only scripts with separate letters from left to right: an Arabic letter joins the next, and a Chinese one is a word.
 * No leading quotation mark, which would become as large as the letter.
 */
const INITIAL = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;
/**
 * Half ems. Two lines of the widest column have 36rem each, or 31 em in its smallest type, less the initial's 5 em. A
 * text longer by a tenth has a third line at every width.
 */
const THREE_LINES = 122;
const NARROW = /[fijlrtI .,:;'’!()-]/g;
const WIDE = /[mwMW—]/g;

/** The estimated length of a text in half ems, by the widths of Newsreader's letters. */
function widthOf(text: string) {
  const count = (letters: RegExp) => text.match(letters)?.length ?? 0;
  return text.length - 0.45 * count(NARROW) + 0.6 * count(WIDE);
}

/** Whether the first paragraph has at least three lines, so that a two-line initial fits. */
function takesInitial(html: string) {
  const [, inner = ""] = FIRST_PARAGRAPH.exec(html) ?? [];
  const text = inner.replace(/<[^>]*>/g, "").trimStart();
  return widthOf(text) >= THREE_LINES && INITIAL.test(text) && !/<(?:img|picture|br)\b/.test(inner);
}

/** Sanitized HTML of show notes, essays and other texts. */
export function RichText({ html, folded, long, className }: RichTextProps) {
  if (!folded && ITALIC.test(html)) preloadFont("italic", "low");
  return (
    <div
      className={cx(
        "reading",
        long && "old-style-figures",
        long && takesInitial(html) && "initial",
        className,
      )}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
