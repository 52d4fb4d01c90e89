import { cx } from "./cx.ts";
import { preloadFont } from "./fonts/preload.ts";

type RichTextProps = {
  /** Sanitized by the server. */
  html: string;
  /** Collapsed at first: the italic font is not preloaded. */
  folded?: boolean;
  className?: string;
};

/** Elements that `.reading` sets in italics. */
const ITALIC = /<(?:em|i|cite)\b/;

/** Sanitized HTML of show notes, essays and other texts. */
export function RichText({ html, folded, className }: RichTextProps) {
  if (!folded && ITALIC.test(html)) preloadFont("italic", "low");
  return <div className={cx("reading", className)} dangerouslySetInnerHTML={{ __html: html }} />;
}
