import { ImageOff, Monitor, Moon, Smartphone, Sun } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { api, ApiError, readJson } from "#site/api.ts";
import { Button } from "#site/ui/button.tsx";
import { Skeleton } from "#site/ui/states.tsx";
import type { LetterPreview, LetterPreviewInput } from "#worker/letters/contract.ts";
import { MailFrame } from "../publishing/mail-frame.tsx";
import { useWidthOf } from "../publishing/use-width-of.ts";

/** Milliseconds without typing before the mail is rendered. */
const PAUSE = 400;
const FAILED = "The preview couldn’t be loaded. Keep typing to load it again.";

/** Pixels of a mail program's window. */
const widths = { phone: 360, desktop: 720 };
type Width = keyof typeof widths;
/** Minimum pixels for a legible desktop mail. */
const LEGIBLE = 480;

/** The mail of a letter, rendered by the server whenever the typing pauses. */
export function MailPreview({ letter }: { letter: LetterPreviewInput }) {
  const { preview, problem } = useMail(letter);
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
      {preview && <Weight bytes={preview.bytes} />}
    </section>
  );
}

const Choice = ({ isOn, onPress, children }: { isOn: boolean; onPress: () => void; children: ReactNode }) => (
  <Button
    size="sm"
    aria-pressed={isOn}
    onClick={onPress}
    className="aria-pressed:border-ink aria-pressed:bg-tint"
  >
    {children}
  </Button>
);

const Weight = ({ bytes }: { bytes: number }) => (
  <p className={`text-sm ${bytes > 100_000 ? "font-medium text-danger" : "text-muted"}`}>
    {`${Math.ceil(bytes / 1000)} kB. Gmail cuts off emails longer than 100 kB.`}
  </p>
);

function useMail(letter: LetterPreviewInput) {
  const [preview, setPreview] = useState<LetterPreview | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const isFirst = useRef(true);
  const { subject, preheader, content } = letter;
  useEffect(() => {
    const stale = new AbortController();
    const { signal } = stale;
    const show = async () => {
      const json = { subject, preheader, content };
      try {
        setPreview(await readJson(api.newsletters.preview.$post({ json }, { init: { signal } })));
        setProblem(null);
      } catch (error) {
        if (signal.aborted) return;
        setProblem(error instanceof ApiError && error.code === "invalid" ? error.message : FAILED);
      }
    };
    const timer = setTimeout(() => void show(), isFirst.current ? 0 : PAUSE);
    isFirst.current = false;
    return () => {
      clearTimeout(timer);
      stale.abort();
    };
  }, [subject, preheader, content]);
  return { preview, problem };
}
