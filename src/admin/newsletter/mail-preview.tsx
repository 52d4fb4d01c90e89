import { ImageOff, Monitor, Moon, Smartphone, Sun } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import { api, readJson } from "#site/api.ts";
import { Skeleton } from "#site/ui/states.tsx";
import type { LetterPreview, LetterPreviewInput } from "#worker/letters/contract.ts";
import { Choice } from "../lists/choice.tsx";
import { useRendered } from "../markdown/use-rendered.ts";
import { MailFrame } from "../publishing/mail-frame.tsx";
import { useWidthOf } from "../publishing/use-width-of.ts";

/** Pixels of a mail program's window. */
const widths = { phone: 360, desktop: 720 };
type Width = keyof typeof widths;
/** Minimum pixels for a legible desktop mail. */
const LEGIBLE = 480;

/** The email of a letter. */
export function MailPreview({ letter }: { letter: LetterPreviewInput }) {
  const { subject, preheader, content, question } = letter;
  const json = { subject, preheader, content, question };
  const read = (signal: AbortSignal) =>
    readJson(api.newsletters.preview.$post({ json }, { init: { signal } }));
  return <EmailPreview words={JSON.stringify(json)} read={read} />;
}

type Props<Rendered> = {
  /** What it is made of. */
  words: string;
  read: (signal: AbortSignal) => Promise<Rendered>;
  /** Shown below it. */
  renderNote?: (preview: Rendered) => ReactNode;
};

/** An email, rendered by the server whenever the typing pauses. */
export function EmailPreview<Rendered extends LetterPreview>({ words, read, renderNote }: Props<Rendered>) {
  const { rendered: preview, problem } = useRendered<Rendered>(words, (_words, signal) => read(signal));
  const [chosen, setWidth] = useState<Width>();
  const [isDark, setDark] = useState(false);
  const [isWithout, setWithout] = useState(false);
  const place = useRef<HTMLElement>(null);
  const room = useWidthOf(place);
  const width = chosen ?? (room < LEGIBLE ? "phone" : "desktop");
  return (
    <section aria-label="Preview" className="grid min-w-0 content-start gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="text-sm font-medium">Preview</h2>
        <div className="flex flex-wrap gap-2">
          <Choice isOn={width === "phone"} onPress={() => setWidth("phone")}>
            <Smartphone aria-hidden size={16} /> Phone
          </Choice>
          <Choice isOn={width === "desktop"} onPress={() => setWidth("desktop")}>
            <Monitor aria-hidden size={16} /> Desktop
          </Choice>
          <Choice isOn={isDark} onPress={() => setDark(!isDark)}>
            {isDark ? <Moon aria-hidden size={16} /> : <Sun aria-hidden size={16} />}
            <span>Dark</span>
          </Choice>
          <Choice isOn={isWithout} onPress={() => setWithout(!isWithout)}>
            <ImageOff aria-hidden size={16} /> No pictures
          </Choice>
        </div>
      </div>
      {problem && (
        <p role="status" className="text-sm font-medium text-danger">
          {problem}
        </p>
      )}
      <section
        ref={place}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls, so that keys must reach it.
        tabIndex={0}
        aria-label="The email"
        className="max-h-[44rem] overflow-y-auto border border-rule bg-tint"
      >
        <div className="flex justify-center">
          {preview && room > 0 ? (
            <MailFrame
              title="The email as an email app shows it"
              html={preview.html}
              width={widths[width]}
              room={room}
              theme={isDark ? "dark" : "light"}
              hasPictures={!isWithout}
            />
          ) : (
            <Skeleton className="h-96 w-full" />
          )}
        </div>
      </section>
      {preview && renderNote?.(preview)}
      {preview && <Weight bytes={preview.bytes} />}
    </section>
  );
}

const Weight = ({ bytes }: { bytes: number }) => (
  <p className={`text-sm ${bytes > 100_000 ? "font-medium text-danger" : "text-muted"}`}>
    {`${Math.ceil(bytes / 1000)} kB. Gmail cuts off emails longer than 100 kB.`}
  </p>
);
