import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { Button, ButtonLink, ButtonRow, buttonClass } from "#site/ui/button.tsx";
import { SelectField } from "#site/ui/controls.tsx";
import { formatTime } from "#site/ui/format.ts";
import { lazyImport } from "#site/ui/lazy-import.ts";
import { ProgressBar } from "#site/ui/progress.tsx";
import { RadioField } from "#site/ui/radio-field.tsx";
import type { StoredFile } from "#worker/files/contract.ts";
import {
  LONGEST_QUOTE,
  quotePath,
  quoteShapes,
  shapeNames,
  type QuoteShape,
} from "#worker/sharing/quote-address.ts";
import { clipName } from "../../files/clip-names.ts";
import { filePath } from "../../files/library/describe-file.ts";
import { formatSize } from "../../files/format.ts";
import { FileUpload, problemOf } from "../../files/upload.ts";
import { uploadApi } from "../../files/upload-api.ts";
import { Sound } from "../../sound/sound.ts";
import type { EditableCue } from "../transcript-cues.ts";
import { placeOfLines } from "./quote-place.ts";
import { QuotePicture } from "./quote-picture.tsx";
import { captionsOf } from "./words.ts";

const loadMaker = lazyImport(() => import("./make-clip.client.ts"));

/** Seconds. */
const SHORTEST = 15;
const LONGEST = 90;
/** Seconds: where a passage ends that begins with a chosen line. */
const USUAL = 30;

const NOT_LOADED = "The clip maker couldn’t be loaded. Check your connection, then try again.";
const NOT_MADE = "The clip couldn’t be made. Try again, or choose another passage.";

const explanations = {
  mp4: "It is an MP4 with H.264 and AAC, which every network takes.",
  webm: "It is a WebM, because this browser can’t encode H.264. Some networks, such as Instagram and LinkedIn, take only MP4: for that, make the clip in Chrome, Edge or Safari on Windows or macOS.",
};

type Props = {
  episodeId: number;
  title: string;
  show: string;
  /** The address of a picture. */
  cover: string | null;
  cues: EditableCue[];
  audio: StoredFile;
};

type State =
  | { phase: "choosing"; problem?: string }
  | { phase: "making"; part: number; stop: () => void }
  | { phase: "made"; file: File; url: string; extension: "mp4" | "webm" };

/** Chooses a passage by its lines, makes its video and saves it in the library. */
export function ClipMaker({ episodeId, title, show, cover, cues, audio }: Props) {
  const [first, setFirst] = useState(0);
  const [last, setLast] = useState(() => usualEnd(cues, 0));
  const [shape, setShape] = useState<QuoteShape>("square");
  const [state, setState] = useState<State>({ phase: "choosing" });
  const [from, to] = [cues[first]!.start, cues[last]!.end];
  const seconds = to - from;
  const place = useMemo(() => {
    const found = placeOfLines(cues, first, last);
    return found && found.to - found.from <= LONGEST_QUOTE ? found : null;
  }, [cues, first, last]);
  const wrongLength =
    seconds < SHORTEST
      ? `A clip lasts at least ${SHORTEST} seconds. Choose a later last line.`
      : seconds > LONGEST
        ? `A clip lasts at most ${LONGEST} seconds. Choose an earlier last line.`
        : null;
  const stopMaking = state.phase === "making" ? state.stop : undefined;
  useEffect(() => stopMaking, [stopMaking]);
  const madeUrl = state.phase === "made" ? state.url : undefined;
  useEffect(() => (madeUrl ? () => URL.revokeObjectURL(madeUrl) : undefined), [madeUrl]);
  const make = async () => {
    const stopped = new AbortController();
    const { signal } = stopped;
    const stop = () => stopped.abort();
    let shown = 0;
    setState({ phase: "making", part: shown, stop });
    const maker = await loadMaker().catch((error: unknown) => void console.warn("clip:", error));
    if (signal.aborted) return;
    if (!maker) return setState({ phase: "choosing", problem: NOT_LOADED });
    try {
      const { blob, extension } = await maker.makeClip({
        url: audio.url,
        coverUrl: cover,
        shape,
        title,
        show,
        from,
        to,
        signal,
        captions: captionsOf(cues.slice(first, last + 1)),
        onProgress(done) {
          const part = Math.floor(done * 100) / 100;
          if (signal.aborted || part === shown) return;
          shown = part;
          setState({ phase: "making", part, stop });
        },
      });
      const name = clipName(episodeId, { from, shape, extension });
      const file = new File([blob], name, { type: blob.type });
      setState({ phase: "made", file, url: URL.createObjectURL(file), extension });
    } catch (error) {
      if (signal.aborted) return;
      const isKnown = error instanceof maker.ClipProblem;
      if (!isKnown) console.warn("clip:", error);
      setState({ phase: "choosing", problem: isKnown ? error.message : NOT_MADE });
    }
  };
  const change = (work: () => void) => {
    work();
    setState({ phase: "choosing" });
  };
  return (
    <div className="grid gap-x-10 gap-y-8 lg:grid-cols-2">
      <fieldset disabled={state.phase === "making"} className="grid min-w-0 content-start gap-4">
        <legend className="mb-4 text-base font-semibold">Passage</legend>
        <SelectField
          label="First line"
          value={first}
          onChange={({ target }) =>
            change(() => {
              setFirst(Number(target.value));
              setLast(usualEnd(cues, Number(target.value)));
            })
          }
        >
          {cues.map((cue, at) => (
            <Line key={`${at} ${cue.timing}`} cue={cue} at={at} />
          ))}
        </SelectField>
        <SelectField
          label="Last line"
          value={last}
          error={wrongLength}
          help={`${Math.round(seconds)} seconds`}
          onChange={({ target }) => change(() => setLast(Number(target.value)))}
        >
          {cues.map((cue, at) => at >= first && <Line key={`${at} ${cue.timing}`} cue={cue} at={at} />)}
        </SelectField>
        <Listen audio={audio} from={from} to={to} />
        <RadioField
          legend="Shape"
          name="shape"
          options={shapeNames}
          value={shape}
          onChange={(next) => change(() => setShape(next))}
        />
      </fieldset>
      <div className="grid min-w-0 content-start gap-8">
        <section aria-label="Clip" className="grid min-w-0 content-start gap-4">
          <h2 className="text-base font-semibold">Clip</h2>
          {state.phase === "choosing" && (
            <>
              {state.problem && (
                <p role="alert" className="text-sm font-medium text-danger">
                  {state.problem}
                </p>
              )}
              <Button
                tone="primary"
                className="justify-self-start"
                disabled={wrongLength !== null}
                onClick={() => void make()}
              >
                Make the clip
              </Button>
            </>
          )}
          {state.phase === "making" && (
            <>
              <ProgressBar value={state.part} label="Making the clip" />
              <p className="text-sm text-muted tabular-nums">{`${Math.round(state.part * 100)} %. Keep this page open.`}</p>
              <Button
                className="justify-self-start"
                onClick={() => {
                  state.stop();
                  setState({ phase: "choosing" });
                }}
              >
                Cancel
              </Button>
            </>
          )}
          {state.phase === "made" && <Made {...state} shape={shape} />}
        </section>
        <section aria-label="Picture" className="grid min-w-0 content-start gap-4">
          <h2 className="text-base font-semibold">Picture of the words</h2>
          {place ? (
            <QuotePicture key={quotePath(episodeId, place, shape)} {...{ episodeId, place, shape }} />
          ) : (
            <p className="text-sm text-muted">
              {`Lines of one speaker with at most ${LONGEST_QUOTE} characters can be a picture, too.`}
            </p>
          )}
        </section>
      </div>
    </div>
  );
}

/** The line with which a passage of the usual length ends. */
function usualEnd(cues: EditableCue[], first: number) {
  const { start } = cues[first]!;
  const found = cues.findIndex(({ end }, at) => at >= first && end - start >= USUAL);
  const last = found < 0 ? cues.length - 1 : found;
  return last > first && cues[last]!.end - start > LONGEST ? last - 1 : last;
}

/** Characters of a line in the list. */
const SHOWN = 60;

function Line({ cue: { start, text }, at }: { cue: EditableCue; at: number }) {
  const words = text.replace(/<[^>]*>/g, "").replace(/\s+/g, " ");
  return (
    <option
      value={at}
    >{`${formatTime(start)} ${words.length > SHOWN ? `${words.slice(0, SHOWN)}…` : words}`}</option>
  );
}

/** Plays the passage. */
function Listen({ audio, from, to }: { audio: StoredFile; from: number; to: number }) {
  const sound = useMemo(() => new Sound(audio.url, audio.durationSeconds ?? 0), [audio]);
  useEffect(() => () => sound.close(), [sound]);
  const { isPlaying, hasFailed } = useSyncExternalStore(sound.subscribe, sound.getState, sound.getState);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button size="sm" onClick={() => (isPlaying ? sound.pause() : sound.play(from, to))}>
        {isPlaying ? "Pause" : "Listen to the passage"}
      </Button>
      {hasFailed && <p className="text-sm font-medium text-danger">The recording can’t be played here.</p>}
    </div>
  );
}

type MadeProps = Extract<State, { phase: "made" }> & { shape: QuoteShape };

function Made({ file, url, extension, shape }: MadeProps) {
  const heading = useRef<HTMLParagraphElement>(null);
  // The button that had the focus was removed.
  useEffect(() => heading.current?.focus(), []);
  const [upload, setUpload] = useState<FileUpload | null>(null);
  const [problem] = useState(() => problemOf(file, "uploads"));
  const { width, height } = quoteShapes[shape];
  return (
    <>
      <p ref={heading} tabIndex={-1} className="text-sm outline-offset-4">
        <span>{`The clip is ready: ${formatSize(file.size)}. `}</span>
        <span className="text-muted">{explanations[extension]}</span>
      </p>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the words are in the picture */}
      <video
        controls
        src={url}
        width={width}
        height={height}
        aria-label="The clip"
        className="max-h-96 w-auto max-w-full border border-rule bg-tint"
      />
      {problem && <p className="text-sm font-medium text-danger">{problem}</p>}
      {upload && <Saving upload={upload} onCancel={() => setUpload(null)} />}
      <ButtonRow>
        {!upload && !problem && (
          <Button
            tone="primary"
            onClick={() =>
              setUpload(new FileUpload({ file, folder: "uploads", field: "clip", kept: true, uploadApi }))
            }
          >
            Save in the library
          </Button>
        )}
        <a href={url} download={file.name} className={buttonClass({})}>
          Download
        </a>
      </ButtonRow>
    </>
  );
}

function Saving({ upload, onCancel }: { upload: FileUpload; onCancel: () => void }) {
  const { phase, sent, size, error, canResume, file } = useSyncExternalStore(
    upload.subscribe,
    upload.getState,
    upload.getState,
  );
  if (phase === "done" && file)
    return (
      <div className="grid justify-items-start gap-3">
        <p role="status" className="text-sm">
          Saved in the library. Once the episode is published, its page here offers the clip under “After
          publishing”.
        </p>
        <ButtonLink to={filePath(file.id)} size="sm">
          Open in the library
        </ButtonLink>
      </div>
    );
  return (
    <div className="grid gap-3">
      <ProgressBar value={sent / size} label="Saving the clip" />
      {error && (
        <p role="alert" className="text-sm font-medium text-danger">
          {error}
        </p>
      )}
      <ButtonRow>
        {canResume && (
          <Button size="sm" tone="primary" onClick={() => upload.resume()}>
            Try again
          </Button>
        )}
        <Button
          size="sm"
          onClick={() => {
            void upload.cancel();
            onCancel();
          }}
        >
          Cancel
        </Button>
      </ButtonRow>
    </div>
  );
}
