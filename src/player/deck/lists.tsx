import { atom, useAtom } from "jotai";
import { X } from "lucide-react";
import { Tabs } from "radix-ui";
import { useRef, useState, type ReactNode, type RefObject } from "react";
import { Button } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { formatTime } from "#site/ui/format.ts";
import { EmptyState, ErrorState, Skeleton } from "#site/ui/states.tsx";
import type { Paragraph } from "#worker/episodes/paragraphs.ts";
import { Cover } from "./bar.tsx";
import type { Details } from "../details.ts";
import { Follow, SCROLLER } from "../follow.tsx";
import { currentTrack, remove, toggle, type Playback, type Track } from "../core/playback.ts";
import { usePart, useStep } from "../state.ts";
import { usePlayFrom, usePlayQueue } from "../use-play.ts";

type Chapters = Details["chapters"];

const tabs = ["Chapters", "Transcript", "Queue"] as const;

/** The last tab, shown again when the sheet reopens. */
export const tabAtom = atom<string>(tabs[0]);

type ListsProps = { playback: Playback; details: Details | null; onRetry: (() => void) | null };

export function Lists({ playback, details, onRetry }: ListsProps) {
  const [tab, setTab] = useAtom(tabAtom);
  const track = currentTrack(playback);
  if (!track) return null;
  const waiting = onRetry ? <Failed onRetry={onRetry} /> : <Loading />;
  return (
    <Tabs.Root value={tab} onValueChange={setTab} className="grid min-h-0 grid-rows-[auto_minmax(0,1fr)]">
      <Tabs.List aria-label="Lists" className="flex gap-6 border-b border-rule">
        {tabs.map((name) => (
          <Tabs.Trigger
            key={name}
            value={name}
            className={
              "-mb-px border-b-2 border-transparent py-2.5 text-sm font-medium text-muted hover:text-ink " +
              "data-[state=active]:border-accent data-[state=active]:text-ink"
            }
          >
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <Panel name="Chapters">
        {details ? <ChapterList track={track} chapters={details.chapters} /> : waiting}
      </Panel>
      <Panel name="Transcript">
        {details ? <TranscriptPanel track={track} details={details} /> : waiting}
      </Panel>
      <Panel name="Queue">
        <QueueList playback={playback} />
      </Panel>
    </Tabs.Root>
  );
}

const Panel = ({ name, children }: { name: (typeof tabs)[number]; children: ReactNode }) => (
  <Tabs.Content
    value={name}
    {...{ [SCROLLER]: "" }}
    className="relative min-h-0 overflow-y-auto overscroll-contain focus-visible:-outline-offset-2 data-[state=inactive]:hidden"
  >
    {children}
  </Tabs.Content>
);

const Loading = () => (
  <div aria-busy className="grid gap-4 py-4">
    <p role="status" className="sr-only">
      Loading
    </p>
    <Skeleton className="h-5 w-4/5" />
    <Skeleton className="h-5 w-3/5" />
    <Skeleton className="h-5 w-2/3" />
  </div>
);

const Failed = ({ onRetry }: { onRetry: () => void }) => (
  <ErrorState
    title="This couldn’t be loaded."
    className="border-t-0 py-4"
    action={<Button onClick={onRetry}>Try Again</Button>}
  />
);

/** Marks the current line by a side border, which is otherwise transparent to avoid a layout shift. */
const markClass =
  "border-l-2 border-l-transparent pl-3 text-left aria-[current=true]:border-l-accent aria-[current=true]:bg-tint";

function ChapterList({ track, chapters }: { track: Track; chapters: Chapters }) {
  const playFrom = usePlayFrom();
  const current = usePart(track.id, chapters);
  if (chapters.length === 0) {
    return (
      <EmptyState title="No chapters" className="border-t-0 py-4">
        This episode has none.
      </EmptyState>
    );
  }
  return (
    <ol>
      {chapters.map(({ start, title }, at) => (
        <li key={`${start} ${title}`}>
          <button
            type="button"
            aria-current={at === current || undefined}
            onClick={() => playFrom(track, start)}
            className={cx("group/row flex w-full gap-4 border-b border-b-rule py-2.5 pr-3", markClass)}
          >
            <span dir="auto" className="min-w-0 grow underline-offset-4 group-hover/row:underline">
              {title}
            </span>
            <span className="figures text-sm leading-6 text-muted">{formatTime(start)}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function TranscriptPanel({ track, details }: { track: Track; details: Details }) {
  const { transcript, plainTranscript } = details;
  if (transcript.length > 0) return <TranscriptList track={track} paragraphs={transcript} />;
  if (plainTranscript) {
    return <p className="py-4 pr-3 font-reading text-base whitespace-pre-line">{plainTranscript}</p>;
  }
  return (
    <EmptyState title="No transcript" className="border-t-0 py-4">
      This episode has none yet.
    </EmptyState>
  );
}

function TranscriptList({ track, paragraphs }: { track: Track; paragraphs: Paragraph[] }) {
  const playFrom = usePlayFrom();
  const current = usePart(track.id, paragraphs);
  const lines = useRef<HTMLOListElement>(null);
  return (
    <>
      <ol ref={lines} className="py-2">
        {paragraphs.map(({ start, speaker, text }, at) => (
          <li key={`${start} ${speaker}`}>
            <button
              type="button"
              aria-current={at === current || undefined}
              onClick={() => playFrom(track, start)}
              className={cx(
                "grid w-full gap-x-4 py-2 pr-3 hover:bg-tint sm:grid-cols-[3.5rem_1fr]",
                markClass,
              )}
            >
              <span className="figures text-sm leading-6 text-muted">{formatTime(start)}</span>
              <span>
                {speaker && <span className="block text-sm font-semibold">{speaker}</span>}
                <span className="font-reading text-base">{text}</span>
              </span>
            </button>
          </li>
        ))}
      </ol>
      <Follow lines={lines} current={current} startsFollowing className="bottom-3" />
    </>
  );
}

function QueueList({ playback }: { playback: Playback }) {
  const step = useStep();
  const playQueue = usePlayQueue();
  const list = useRef<HTMLOListElement>(null);
  const [said, setSaid] = useState("");
  const { queue, isList } = playback;
  const { tracks, index } = queue;
  const take = (track: Track, at: number) => {
    step((now) => remove(now, track.id));
    setSaid(`${track.title} was removed from the queue.`);
    focusRow(list, at);
  };
  return (
    <>
      <p role="status" className="sr-only">
        {said}
      </p>
      <ol ref={list}>
        {tracks.map((track, at) => (
          <li key={track.id} className="relative flex items-center gap-2 border-b border-rule">
            <button
              type="button"
              aria-current={at === index || undefined}
              onClick={() => (at === index ? step(toggle) : playQueue(tracks, { index: at, isList }))}
              className={cx("group/row flex min-w-0 grow items-center gap-4 py-2.5", markClass)}
            >
              <Cover track={track} className="size-11" sizes="2.75rem" />
              <span className="truncate underline-offset-4 group-hover/row:underline">{track.title}</span>
            </button>
            <Button
              tone="bare"
              size="icon"
              data-remove
              aria-label={`Remove ${track.title} from the queue`}
              title="Remove from the queue"
              onClick={() => take(track, at)}
            >
              <X aria-hidden size={16} />
            </Button>
          </li>
        ))}
      </ol>
    </>
  );
}

/** Moves the focus to the row after the removed one, or to the last row. */
function focusRow(list: RefObject<HTMLOListElement | null>, at: number) {
  requestAnimationFrame(() => {
    const buttons = list.current?.querySelectorAll<HTMLElement>("[data-remove]") ?? [];
    buttons[Math.min(at, buttons.length - 1)]?.focus();
  });
}
