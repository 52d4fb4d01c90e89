import { cx } from "./cx.ts";
import { preloadFont } from "./fonts/preload.ts";

type RichTextProps = {
  /** Sanitized by the server. */
  html: string;
  /** Collapsed at first: the italic font is not preloaded. */
  folded?: boolean;
  /** A text of its own page: set with an initial, two lines high, and old-style figures. */
  long?: boolean;
  className?: string;
};

/** Elements that `.reading` sets in italics. */
const ITALIC = /<(?:em|i|cite)\b/;

/** A text in Hebrew, Arabic and such, whose first letter stands at the right, and joins the second. */
const JOINED = /^<p>[\u0590-\u08ff]/;

/** Sanitized HTML of show notes, essays and other texts. */
export function RichText({ html, folded, long, className }: RichTextProps) {
  if (!folded && ITALIC.test(html)) preloadFont("italic", "low");
  return (
    <div
      className={cx("reading", long && !JOINED.test(html) && "initial", className)}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
