import { ChevronLeft, ChevronRight, Play } from "lucide-react";
import { memo, useEffect, useRef, useState, type KeyboardEvent } from "react";
import { flushSync } from "react-dom";
import { Button } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { controlClass } from "#site/ui/field.tsx";
import { formatTime } from "#site/ui/format.ts";
import { useSound, useSoundState, type Sound } from "../sound/sound.ts";
import { FindAndReplace } from "./find-and-replace.tsx";
import { cueAt, type EditableCue } from "./transcript-cues.ts";

/** Cues on one page of the editor: with fields for thousands of cues, typing would be slow. */
const PAGE = 50;

type Props = { cues: EditableCue[]; onChange: (cues: EditableCue[]) => void };

/** The cues of a transcript, each editable in place; the one that is playing is marked. */
export function CueEditor({ cues, onChange }: Props) {
  const sound = useSound();
  const list = useRef<HTMLOListElement>(null);
  const heard = useSoundState(sound, ({ time }) => cueAt(cues, time));
  const [page, setPage] = useState(0);
  // Read once, so that a speaker field stays when its name is cleared to type another.
  const [hasSpeakers] = useState(() => cues.some(({ speaker }) => speaker));
  const [followed, setFollowed] = useState(heard);
  // No scrolling away from a cue in which the owner types.
  const [isTyping, setTyping] = useState(false);
  const isPlaying = useSoundState(sound, (state) => state.isPlaying);
  // The pages follow the playback until the owner turns one.
  if (followed !== heard) {
    setFollowed(heard);
    if (heard >= 0 && !isTyping) setPage(Math.floor(heard / PAGE));
  }
  useEffect(() => {
    if (isPlaying && !isTyping) reveal(list.current, heard);
  }, [heard, isPlaying, isTyping]);

  const edit = (at: number, part: Partial<EditableCue>) =>
    onChange(cues.map((cue, place) => (place === at ? { ...cue, ...part } : cue)));
  const show = (at: number) => {
    flushSync(() => setPage(Math.floor(at / PAGE)));
    const text = list.current?.querySelector<HTMLElement>(`[data-cue="${at}"] textarea`);
    text?.focus();
  };
  const step = (at: number) => {
    const cue = cues[at];
    if (!cue) return;
    show(at);
    sound?.seek(cue.start);
  };
  const keys = (event: KeyboardEvent, at: number) => {
    const { key, altKey, ctrlKey } = event;
    const action =
      altKey && key === "ArrowDown"
        ? () => step(at + 1)
        : altKey && key === "ArrowUp"
          ? () => step(at - 1)
          : ctrlKey && key === " "
            ? () => sound?.toggle()
            : ctrlKey && key === "Enter"
              ? () => sound?.play(cues[at]?.start)
              : null;
    if (!action) return;
    event.preventDefault();
    action();
  };
  const latest = useLatest({ edit, keys });
  const from = page * PAGE;
  return (
    <div className="grid gap-3">
      <p className="text-sm text-muted">
        {sound
          ? "In a cue: Ctrl+Space plays and pauses, Ctrl+Enter plays the cue, Alt+up and down arrows move to the previous and next cue."
          : "In a cue: Alt+up and down arrows move to the previous and next cue."}
      </p>
      <FindAndReplace cues={cues} onChange={onChange} onShow={show} />
      <div
        role="presentation"
        onFocus={({ target }) => setTyping(target.matches("input, textarea"))}
        onBlur={() => setTyping(false)}
      >
        <ol
          ref={list}
          start={from + 1}
          aria-label="Cues"
          className="relative grid max-h-112 gap-px overflow-y-auto border border-rule"
        >
          {cues.slice(from, from + PAGE).map((cue, at) => (
            <Cue
              key={cue.timing + (from + at)}
              cue={cue}
              at={from + at}
              isHeard={from + at === heard}
              hasSpeaker={hasSpeakers}
              sound={sound}
              latest={latest}
            />
          ))}
        </ol>
      </div>
      <Pages page={page} count={cues.length} onChange={setPage} />
    </div>
  );
}

type Handlers = {
  edit: (at: number, part: Partial<EditableCue>) => void;
  keys: (event: KeyboardEvent, at: number) => void;
};

/** The same object at each render, with the latest handlers, so that an edit renders only one cue. */
function useLatest(handlers: Handlers): { readonly current: Handlers } {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  return latest;
}

function reveal(list: HTMLElement | null, at: number) {
  const cue = list?.querySelector<HTMLElement>(`[data-cue="${at}"]`);
  // Scrolls only the list, not the page.
  if (list && cue) list.scrollTop = cue.offsetTop - list.clientHeight / 3;
}

type CueProps = {
  cue: EditableCue;
  at: number;
  isHeard: boolean;
  hasSpeaker: boolean;
  sound: Sound | null;
  latest: { readonly current: Handlers };
};

const Cue = memo(function Cue({ cue, at, isHeard, hasSpeaker, sound, latest }: CueProps) {
  const { start, speaker, text } = cue;
  const time = formatTime(start);
  const rows = Math.max(text.split("\n").length, Math.ceil(text.length / 48));
  return (
    <li
      data-cue={at}
      aria-current={isHeard ? "true" : undefined}
      className={cx(
        "flex flex-wrap items-start gap-2 border-l-4 px-2 py-1.5",
        isHeard ? "border-signal bg-tint" : "border-transparent",
      )}
    >
      <Button
        size="sm"
        tone="bare"
        className="px-1.5 tabular-nums"
        disabled={!sound}
        aria-label={`Play from ${time}`}
        onClick={() => sound?.play(start)}
      >
        <Play aria-hidden size={12} />
        <span>{time}</span>
      </Button>
      {hasSpeaker && speaker !== null && (
        <input
          type="text"
          aria-label={`Speaker at ${time}`}
          value={speaker}
          maxLength={100}
          onChange={(event) => latest.current.edit(at, { speaker: event.currentTarget.value })}
          onKeyDown={(event) => latest.current.keys(event, at)}
          className={cx(controlClass, "h-8 w-32! px-2 pointer-fine:md:text-sm")}
        />
      )}
      <textarea
        aria-label={`Text at ${time}`}
        value={text}
        rows={rows}
        maxLength={5000}
        onChange={(event) => latest.current.edit(at, { text: event.currentTarget.value })}
        onKeyDown={(event) => latest.current.keys(event, at)}
        className={cx(
          controlClass,
          "min-w-40 flex-1 resize-none px-2 py-1 leading-6 pointer-fine:md:text-sm",
        )}
      />
    </li>
  );
});

type PagesProps = { page: number; count: number; onChange: (page: number) => void };

function Pages({ page, count, onChange }: PagesProps) {
  const from = page * PAGE;
  const to = Math.min(from + PAGE, count);
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <p role="status" className="mr-auto text-muted tabular-nums">
        {`Cues ${from + 1} to ${to} of ${count}`}
      </p>
      {count > PAGE && (
        <>
          <Button size="sm" disabled={page === 0} onClick={() => onChange(page - 1)}>
            <ChevronLeft aria-hidden size={14} />
            Earlier cues
          </Button>
          <Button size="sm" disabled={to === count} onClick={() => onChange(page + 1)}>
            Later cues
            <ChevronRight aria-hidden size={14} />
          </Button>
        </>
      )}
    </div>
  );
}
