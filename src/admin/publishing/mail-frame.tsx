import { useEffect, useMemo, useRef, useState, type SyntheticEvent } from "react";
import { Skeleton } from "#site/ui/states.tsx";
import { useHydrated } from "#site/ui/use-hydrated.ts";
import { parseHtml, STILL, stillHtml } from "./sandboxed-html.ts";

type Props = {
  title: string;
  /** The email's HTML part. */
  html: string;
  /** Pixels of the mail program's window. */
  width: number;
  /** Available pixels; the email is scaled down to fit. */
  room: number;
  theme?: "light" | "dark";
  hasPictures?: boolean;
};

/**
 * An email as a mail program shows it. Nothing in it runs or submits anything. The page's content policy blocks the
 * email's style sheet, so it is extracted and adopted, with the theme's rules switched on or off in code.
 */
export function MailFrame(props: Props) {
  // Browser only: the server has no HTML parser for it.
  return useHydrated() ? <Frame {...props} /> : <Skeleton className="h-96 w-full" />;
}

function Frame({ title, html, width, room, theme = "light", hasPictures = true }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const { shown, styles } = useMemo(() => takeApart(html, hasPictures), [html, hasPictures]);
  const [height, setHeight] = useState(480);
  const observer = useRef<ResizeObserver>(undefined);
  useEffect(() => () => observer.current?.disconnect(), []);
  useEffect(() => {
    if (frame.current) adopt(frame.current, styles, theme);
  }, [styles, theme]);
  const loaded = ({ currentTarget }: SyntheticEvent<HTMLIFrameElement>) => {
    adopt(currentTarget, styles, theme);
    observer.current?.disconnect();
    const root = currentTarget.contentDocument?.documentElement;
    if (!root) return;
    observer.current = new ResizeObserver(() => setHeight(Math.ceil(root.getBoundingClientRect().height)));
    observer.current.observe(root);
  };
  const scale = Math.min(1, room / width);
  return (
    <div className="overflow-hidden" style={{ width: width * scale, height: height * scale }}>
      <iframe
        ref={frame}
        title={title}
        // Same-origin, so that it can be measured and styled.
        sandbox={STILL}
        srcDoc={shown}
        onLoad={loaded}
        className="block origin-top-left bg-paper"
        style={{ width, height, transform: scale < 1 ? `scale(${scale})` : undefined }}
      />
    </div>
  );
}

/** Replaces a picture that is not loaded. */
const NO_PICTURE = "data:,";

/** The site's own style sheet, in every email; authors' texts have none. */
const STYLE = /<style>([\s\S]*?)<\/style>/g;

function takeApart(html: string, hasPictures: boolean) {
  const styles = [...html.matchAll(STYLE)].map(([, sheet]) => sheet).join("\n");
  const parsed = parseHtml(html.replace(STYLE, ""));
  if (!hasPictures) parsed.querySelectorAll("img").forEach((picture) => (picture.src = NO_PICTURE));
  return { shown: stillHtml(parsed), styles };
}

const DARK = /\(prefers-color-scheme:\s*dark\)/g;

/** Does nothing before the email is loaded. */
function adopt(
  { contentDocument, contentWindow }: HTMLIFrameElement,
  styles: string,
  theme: "light" | "dark",
) {
  const Sheet = (contentWindow as (Window & typeof globalThis) | null)?.CSSStyleSheet;
  if (contentDocument?.readyState !== "complete" || !Sheet) return;
  const sheet = new Sheet();
  const rules = styles.replace(DARK, theme === "dark" ? "all" : "not all");
  sheet.replaceSync(`${rules}\n:root{color-scheme:${theme}!important}`);
  contentDocument.adoptedStyleSheets = [sheet];
}
