import { useEffect, useMemo, useRef, useState, type RefObject, type SyntheticEvent } from "react";
import { Skeleton } from "#site/ui/states.tsx";
import { useHydrated } from "#site/ui/use-hydrated.ts";

type Props = {
  title: string;
  /** The mail's HTML part. */
  html: string;
  /** Pixels of the mail program's window. */
  width: number;
  /** Pixels that it may take here; the mail is made smaller to fit. */
  room: number;
  theme?: "light" | "dark";
  hasPictures?: boolean;
};

/**
 * A mail as a mail program shows it. Nothing in it runs or submits anything. The page's content policy knows no style
 * sheet of a mail, so it is taken out and adopted, with the theme's rules switched on or off by hand.
 */
export function MailFrame(props: Props) {
  // The server has no parser for it.
  return useHydrated() ? <Frame {...props} /> : <Skeleton className="h-96 w-full" />;
}

function Frame({ title, html, width, room, theme = "light", hasPictures = true }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const { document: shown, styles } = useMemo(() => takeApart(html, hasPictures), [html, hasPictures]);
  useEffect(() => {
    if (frame.current) adopt(frame.current, styles, theme);
  }, [styles, theme]);
  const scale = Math.min(1, room / width);
  return (
    <div className="overflow-hidden" style={{ width: width * scale }}>
      <iframe
        ref={frame}
        title={title}
        // Without scripts it may be of this origin: so it can be measured, and given its style sheet.
        sandbox="allow-same-origin"
        srcDoc={shown}
        onLoad={(event) => {
          adopt(event.currentTarget, styles, theme);
          openLinksInTabs(event);
        }}
        className="block origin-top-left bg-paper"
        style={{ width, height: 480, transform: scale < 1 ? `scale(${scale})` : undefined }}
        data-scale={scale}
      />
    </div>
  );
}

/** Shown in place of a picture that is not loaded. */
const NO_PICTURE = "data:,";

function takeApart(html: string, hasPictures: boolean) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const sheets = [...parsed.querySelectorAll("style")];
  const styles = sheets.map((sheet) => sheet.textContent).join("\n");
  sheets.forEach((sheet) => sheet.remove());
  if (!hasPictures) parsed.querySelectorAll("img").forEach((picture) => (picture.src = NO_PICTURE));
  return { document: `<!doctype html>${parsed.documentElement.outerHTML}`, styles };
}

const DARK = /\(prefers-color-scheme:\s*dark\)/g;

function adopt(frame: HTMLIFrameElement, styles: string, theme: "light" | "dark") {
  const { contentDocument: shown, contentWindow } = frame;
  const Sheet = (contentWindow as (Window & typeof globalThis) | null)?.CSSStyleSheet;
  if (!shown || !Sheet) return;
  const sheet = new Sheet();
  sheet.replaceSync(
    `${styles.replace(DARK, theme === "dark" ? "all" : "not all")}\n:root{color-scheme:${theme}!important}`,
  );
  shown.adoptedStyleSheets = [sheet];
  const scale = Number(frame.dataset["scale"]);
  const { scrollHeight } = shown.documentElement;
  frame.style.height = `${scrollHeight}px`;
  if (frame.parentElement) frame.parentElement.style.height = `${scrollHeight * scale}px`;
}

function openLinksInTabs({ currentTarget: { contentDocument } }: SyntheticEvent<HTMLIFrameElement>) {
  contentDocument?.addEventListener("click", (event) => {
    const link = (event.target as Element).closest("a");
    if (!link) return;
    event.preventDefault();
    open(link.href, "_blank", "noopener");
  });
}

/** Pixels that there are for it; zero until they are measured. */
export function useWidthOf(element: RefObject<HTMLElement | null>) {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
