import { counted } from "#site/ui/format.ts";
import { RichText } from "#site/ui/rich-text.tsx";
import { goToPart } from "../shell/go-to.ts";
import { useRendered } from "./use-rendered.ts";

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

/** The text as its page will show it, rendered by the server whenever the typing pauses. */
export function Preview({ text, render, className }: Props) {
  const { rendered, problem } = useRendered(text, render);
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
