import { Monitor, Smartphone } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { api, ApiError, readJson } from "#site/api.ts";
import { Button } from "#site/ui/button.tsx";
import { Dialog } from "#site/ui/dialog.tsx";
import { Skeleton } from "#site/ui/states.tsx";
import { pageContents, type PageInput, type PageSlug } from "#worker/pages/contract.ts";
import { readForm } from "../form/read.ts";
import { Choice } from "../lists/choice.tsx";
import { parseHtml, STILL, stillHtml } from "../publishing/sandboxed-html.ts";
import { useWidthOf } from "../publishing/use-width-of.ts";
import { pageForms } from "./forms.ts";
import { pageNames } from "./page-paths.ts";

/** Shows the page as visitors will see it with what the form holds now. */
export function PreviewButton({ slug }: { slug: PageSlug }) {
  const [content, setContent] = useState<PageInput | null>(null);
  const show = (form: HTMLFormElement | null) => {
    if (!form) return;
    const read = readForm(new FormData(form), {
      fields: pageForms[slug].fields,
      schema: pageContents[slug],
    });
    // Sending it saves nothing, and says beside each field what is wrong.
    if ("errors" in read) form.requestSubmit();
    else setContent(read.input);
  };
  return (
    <>
      <Button onClick={({ currentTarget }) => show(currentTarget.form)}>Preview</Button>
      {content && <PreviewDialog slug={slug} content={content} onClose={() => setContent(null)} />}
    </>
  );
}

/** Pixels that a window is wide. */
const widths = { desktop: 1280, phone: 360 };
type Width = keyof typeof widths;
/** Minimum pixels for a legible desktop page. */
const LEGIBLE = 480;

type DialogProps = { slug: PageSlug; content: PageInput; onClose: () => void };

const PreviewDialog = ({ slug, content, onClose }: DialogProps) => (
  <Dialog full open onOpenChange={(open) => !open && onClose()} title={`Preview of ${pageNames[slug]}`}>
    <Preview slug={slug} content={content} />
  </Dialog>
);

function Preview({ slug, content }: Omit<DialogProps, "onClose">) {
  const [chosen, setWidth] = useState<Width>();
  const choices = useRef<HTMLDivElement>(null);
  const room = useWidthOf(choices);
  const width = chosen ?? (room > 0 && room < LEGIBLE ? "phone" : "desktop");
  const { html, problem } = useRendered(slug, content);
  return (
    <>
      <div ref={choices} role="group" aria-label="Width of the window" className="flex gap-2">
        <WidthButton width="desktop" chosen={width} onChoose={setWidth} />
        <WidthButton width="phone" chosen={width} onChoose={setWidth} />
      </div>
      {problem && (
        <p role="alert" className="font-medium text-danger">
          {problem}
        </p>
      )}
      {html === null && !problem && (
        <div role="status" aria-label="Loading the preview" className="grid gap-4">
          <Skeleton className="h-12 w-2/3" />
          <Skeleton className="h-[50dvh] w-full" />
        </div>
      )}
      {html !== null && <Frame html={html} width={widths[width]} title={pageNames[slug]} />}
    </>
  );
}

type WidthProps = { width: Width; chosen: Width; onChoose: (width: Width) => void };

const WidthButton = ({ width, chosen, onChoose }: WidthProps) => (
  <Choice isOn={width === chosen} onPress={() => onChoose(width)}>
    {width === "desktop" ? <Monitor aria-hidden size={16} /> : <Smartphone aria-hidden size={16} />}
    <span>{width === "desktop" ? "Desktop" : "Phone"}</span>
  </Choice>
);

const FAILED = "The preview couldn’t be loaded. Close it and try again.";

function useRendered(slug: PageSlug, json: PageInput) {
  const [html, setHtml] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const stale = new AbortController();
    const { signal } = stale;
    readJson(api.pages[":slug"].preview.$post({ param: { slug }, json }, { init: { signal } })).then(
      (preview) => setHtml(preview.html),
      (error: unknown) => {
        if (signal.aborted) return;
        setProblem(error instanceof ApiError && error.code !== "internal" ? error.message : FAILED);
      },
    );
    return () => stale.abort();
  }, [slug, json]);
  return { html, problem };
}

type FrameProps = { html: string; width: number; title: string };

/** A window of that width, scaled to fit. */
function Frame({ html, width, title }: FrameProps) {
  const place = useRef<HTMLDivElement>(null);
  const room = useWidthOf(place);
  const scale = Math.min(1, room / width);
  const shown = useMemo(() => stillPage(html), [html]);
  return (
    <div ref={place} className="h-[calc(100dvh-13rem)] overflow-hidden border border-rule">
      {room > 0 && (
        <iframe
          title={title}
          sandbox={STILL}
          srcDoc={shown}
          className="mx-auto block origin-top-left bg-paper"
          style={{ width, height: `${100 / scale}%`, transform: scale < 1 ? `scale(${scale})` : undefined }}
        />
      )}
    </div>
  );
}

/** In the theme of the admin area. */
function stillPage(html: string) {
  const page = parseHtml(html);
  for (const theme of ["light", "dark"])
    page.documentElement.classList.toggle(theme, document.documentElement.classList.contains(theme));
  return stillHtml(page);
}
