import { cx } from "./cx.ts";
import { preloadFont } from "./fonts/preload.ts";

type RichTextProps = {
  /** Sanitized by the server. */
  html: string;
  /** Collapsed at first: the italic font is not preloaded. */
  folded?: boolean;
  /** A text of its own page: set with an initial and old-style figures. */
  long?: boolean;
  className?: string;
};

/** Elements that `.reading` sets in italics. */
const ITALIC = /<(?:em|i|cite)\b/;

/** The text's first letter, two lines high; figures to match. */
const initial =
  "[font-variant-numeric:oldstyle-nums] " +
  "[&>p:first-child]:first-letter:float-left [&>p:first-child]:first-letter:mr-1.5 [&>p:first-child]:first-letter:mt-1.5 " +
  "[&>p:first-child]:first-letter:font-display [&>p:first-child]:first-letter:text-[3.5em] " +
  "[&>p:first-child]:first-letter:leading-[0.8] [&>p:first-child]:first-letter:text-accent";

/** Sanitized HTML of show notes, essays and other texts. */
export function RichText({ html, folded, long, className }: RichTextProps) {
  if (!folded && ITALIC.test(html)) preloadFont("italic", "low");
  return (
    <div className={cx("reading", long && initial, className)} dangerouslySetInnerHTML={{ __html: html }} />
  );
}
