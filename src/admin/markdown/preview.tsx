import { useEffect, useRef, useState } from "react";
import { counted } from "#site/ui/format.ts";
import { RichText } from "#site/ui/rich-text.tsx";
import { ApiError } from "#site/api.ts";
import { goToPart } from "../shell/go-to.ts";

/** The server's rendering of a text. */
export type Rendered = {
  html: string;
  /** Only for a text with its own page. */
  readingMinutes?: number;
};

type Props = {
  /** Markdown. */
  text: string;
  render: (text: string, signal: AbortSignal) => Promise<Rendered>;
  className?: string;
};

/** Milliseconds without typing before the text is rendered. */
const PAUSE = 400;
const FAILED = "The preview couldn’t be loaded. Keep typing to load it again.";

/** The text as its page will show it, rendered by the server whenever the typing pauses. */
export function Preview({ text, render, className }: Props) {
  const [rendered, setRendered] = useState<Rendered | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const isFirst = useRef(true);
  const latest = useRef(render);
  useEffect(() => {
    latest.current = render;
  });
  useEffect(() => {
    const stale = new AbortController();
    const show = async () => {
      try {
        setRendered(await latest.current(text, stale.signal));
        setProblem(null);
      } catch (error) {
        if (stale.signal.aborted) return;
        setProblem(error instanceof ApiError && error.code === "invalid" ? error.message : FAILED);
      }
    };
    const timer = setTimeout(() => void show(), isFirst.current ? 0 : PAUSE);
    isFirst.current = false;
    return () => {
      clearTimeout(timer);
      stale.abort();
    };
  }, [text]);
  const minutes = rendered?.readingMinutes ?? 0;
  return (
    <section
      aria-label="Preview"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls, so that keys must reach it.
      tabIndex={0}
      className={className}
      onClickCapture={(event) => {
        const link = event.target instanceof Element && event.target.closest("a");
        if (!link) return;
        const href = link.getAttribute("href");
        // The form's page must not be left.
        event.preventDefault();
        if (href?.startsWith("#")) goToPart(document.getElementById(decodeURIComponent(href.slice(1))));
        // A timestamp of the episode, which only works on its own page.
        else if (!href?.startsWith("?")) open(link.href, "_blank", "noopener");
      }}
    >
      <p className="mb-4 border-b border-rule pb-2 text-sm text-muted">
        {`Preview${minutes > 0 ? ` · ${counted(minutes, "minute")} to read` : ""}`}
      </p>
      {problem && (
        <p role="status" className="mb-4 text-sm font-medium text-danger">
          {problem}
        </p>
      )}
      {rendered && <RichText html={rendered.html} long={rendered.readingMinutes !== undefined} />}
    </section>
  );
}
