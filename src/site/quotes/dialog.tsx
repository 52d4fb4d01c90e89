import { useLayoutEffect, useRef, useState } from "react";
import { copyLink } from "#site/shell/copy-link.ts";
import { useToast } from "#site/shell/toast.ts";
import { Button, buttonClass } from "#site/ui/button.tsx";
import { SelectField, TextArea } from "#site/ui/controls.tsx";
import { Dialog } from "#site/ui/dialog.tsx";
import { formatTime } from "#site/ui/format.ts";
import { RadioField } from "#site/ui/radio-field.tsx";
import {
  LONGEST_QUOTE,
  quoteShapes,
  shapeNames,
  wholeWords,
  type QuotePlace,
  type QuoteShape,
} from "#worker/sharing/quote-address.ts";
import { useQuotePicture } from "./picture.ts";
import { beginningOf, type Said } from "./said.ts";

export type Quoted = {
  said: Said[];
  episode: { id: number; title: string; show: string };
  /** The episode's public address; absent for a draft. */
  url?: string;
};

type DialogProps = Quoted & {
  /** The selected words; without them the first sentence is chosen. */
  initial: QuotePlace | null;
  onClose: () => void;
};

/** Chooses words of a transcript and shows their picture. */
export function QuoteDialog({ said, episode, url, initial, onClose }: DialogProps) {
  const [place, setPlace] = useState(() => initial ?? beginningOf(said[0]!, 0));
  const [shape, setShape] = useState<QuoteShape>("square");
  const [attempt, setAttempt] = useState(0);
  const paragraph = place?.paragraph ?? 0;
  const { speaker, text, start } = said[paragraph]!;
  const words = place ? text.slice(place.from, place.to) : "";
  const isTooLong = [...words].length > LONGEST_QUOTE;
  return (
    <Dialog
      open
      wide
      closesOnBack
      onOpenChange={onClose}
      title="A picture of a quote"
      description="To download or to share: the words, who says them, and the episode."
    >
      <div className="quotes grid gap-6 md:grid-cols-2">
        <div className="grid content-start gap-4">
          {said.length > 1 && (
            <SelectField
              label="Passage"
              value={paragraph}
              onChange={({ target }) =>
                setPlace(beginningOf(said[Number(target.value)]!, Number(target.value)))
              }
            >
              {said.map((each, at) => (
                <option key={`${each.start} ${each.speaker}`} value={at}>
                  {labelOf(each)}
                </option>
              ))}
            </SelectField>
          )}
          <Words
            key={paragraph}
            text={text}
            place={place}
            onSelect={(from, to) => setPlace({ paragraph, from, to })}
            error={
              isTooLong ? `At most ${LONGEST_QUOTE} characters fit on a picture. Select fewer words.` : null
            }
          />
          <RadioField legend="Shape" name="shape" options={shapeNames} value={shape} onChange={setShape} />
        </div>
        <Picture
          key={attempt}
          onRetry={() => setAttempt(attempt + 1)}
          place={isTooLong ? null : place}
          shape={shape}
          episode={episode}
          words={words}
          speaker={speaker}
          url={url && `${url}${start === undefined ? "" : `?t=${Math.floor(start)}`}`}
        />
      </div>
    </Dialog>
  );
}

/** Characters of a passage's beginning in the list. */
const SHOWN = 48;

const labelOf = ({ start, speaker, text }: Said) =>
  `${formatTime(start ?? 0)} ${speaker && `${speaker}: `}${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}`;

type WordsProps = {
  text: string;
  place: QuotePlace | null;
  onSelect: (from: number, to: number) => void;
  error: string | null;
};

/**
 * The words are selected in a text that cannot be changed, with a mouse, a finger or the keyboard. A browser shows no caret in
 * a field that is `readonly`.
 */
function Words({ text, place, onSelect, error }: WordsProps) {
  const field = useRef<HTMLDivElement>(null);
  const [first] = useState(place);
  useLayoutEffect(() => {
    const area = field.current!.querySelector("textarea")!;
    const refuse = (event: Event) => event.preventDefault();
    if (first) area.setSelectionRange(first.from, first.to);
    area.addEventListener("beforeinput", refuse);
    return () => area.removeEventListener("beforeinput", refuse);
  }, [first]);
  const chosen = place ? text.slice(place.from, place.to) : "";
  return (
    <div ref={field} className="grid gap-3">
      <TextArea
        label="Select the words"
        help="Drag over them, or hold Shift and press the arrow keys."
        error={error}
        rows={6}
        aria-readonly
        inputMode="none"
        defaultValue={text}
        onSelect={({ currentTarget: { selectionStart, selectionEnd } }) => {
          const words = wholeWords(text, selectionStart, selectionEnd);
          if (words) onSelect(words.from, words.to);
        }}
      />
      <p className="text-sm wrap-anywhere">
        <span className="text-muted">On the picture: </span>
        <q>{chosen}</q>
      </p>
    </div>
  );
}

type PictureProps = Pick<Quoted, "episode" | "url"> & {
  place: QuotePlace | null;
  shape: QuoteShape;
  words: string;
  speaker: string;
  onRetry: () => void;
};

function Picture({ place, shape, episode, words, speaker, url, onRetry }: PictureProps) {
  const say = useToast();
  const picture = useQuotePicture({
    episodeId: episode.id,
    place,
    shape,
    isDraft: url === undefined,
  });
  const { width, height } = quoteShapes[shape];
  const alt = `“${words}” ${[speaker, episode.title, episode.show].filter(Boolean).join(", ")}`;
  const share = (file: File) =>
    navigator.share({ files: [file], ...(url && { url }) }).catch((error: Error) => {
      if (error.name === "AbortError") return;
      console.warn("share:", error);
      say({ kind: "error", title: "It couldn’t be shared", description: "Download the picture instead." });
    });
  return (
    <div className="grid content-start gap-3">
      <div className="grid h-80 place-items-center border border-rule bg-tint p-2">
        {place && picture.phase === "drawn" && (
          <img
            src={picture.url}
            alt={alt}
            width={width}
            height={height}
            className="max-h-76 w-auto max-w-full object-contain"
          />
        )}
        <p role="status" className="px-4 text-center text-sm empty:hidden">
          {place === null
            ? "Select at least one word."
            : picture.phase === "drawing"
              ? "The picture is being drawn…"
              : picture.phase === "failed"
                ? picture.problem
                : ""}
        </p>
      </div>
      <p className="text-sm text-muted">{`${width} × ${height} pixels`}</p>
      <div className="flex flex-wrap gap-2">
        {place && picture.phase === "failed" && <Button onClick={onRetry}>Try again</Button>}
        {place && picture.phase === "drawn" && (
          <>
            <a href={picture.url} download={picture.file.name} className={buttonClass({ tone: "primary" })}>
              Download
            </a>
            {navigator.canShare?.({ files: [picture.file] }) && (
              <Button onClick={() => void share(picture.file)}>Share…</Button>
            )}
          </>
        )}
        {url && <Button onClick={() => void copyLink(url, say)}>Copy link</Button>}
      </div>
    </div>
  );
}
