import { cx } from "./cx.ts";
import { preloadFont } from "./fonts/preload.ts";

type WrittenProps = {
  /** Sanitised by the server. */
  html: string;
  /** Not laid out before it is opened, so its fonts are not needed yet. */
  folded?: boolean;
  className?: string;
};

/** What is set in italics by `.reading`. */
const ITALIC = /<(?:em|i|cite)\b/;

/** A text that somebody wrote, as HTML. */
export function Written({ html, folded, className }: WrittenProps) {
  if (!folded && ITALIC.test(html)) preloadFont("italic", "low");
  return <div className={cx("reading", className)} dangerouslySetInnerHTML={{ __html: html }} />;
}
