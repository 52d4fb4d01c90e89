import { Fragment, useEffect, useEffectEvent, useRef, useState, type MouseEvent } from "react";
import { Button } from "#site/ui/button.tsx";
import { TextField } from "#site/ui/field.tsx";
import { lazyImport } from "#site/ui/lazy-import.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import { useFieldError } from "../form/context.ts";
import { SelectField, TextArea } from "../form/fields.tsx";
import { text } from "../form/read.ts";
import { useSound } from "../sound/sound.ts";
import {
  clockOf,
  DETAILED,
  parseChapters,
  parseTime,
  withDetails,
  writeChapters,
  writeTime,
} from "./chapter-lines.ts";
import { MarkList } from "./mark-list.tsx";
import { endOf, timeProblem, type MarkRow, type useMarkRows } from "./mark-rows.ts";
import { TimeField } from "./time-field.tsx";
import { FROM_FILE } from "./use-from-file.ts";
import { ViewSwitch } from "./view-switch.tsx";

/** With the parser of Markdown, which a form does not need before. */
const loadNotes = lazyImport(() => import("./chapters-in-notes.ts"));

export type ChapterRow = MarkRow & {
  url: string;
  img: string;
  end: string;
  /** `no`: in no list. */
  toc: string;
};

type Found = {
  start: number;
  title: string;
  url?: string | null;
  img?: string | null;
  end?: number;
  toc?: boolean;
};

export const toChapterRow = ({ start, title, url, img, end, toc }: Found) => ({
  start: writeTime(start),
  title,
  url: url ?? "",
  img: img ?? "",
  end: end === undefined ? "" : writeTime(end),
  toc: toc === false ? "no" : "",
});

type Props = {
  marks: ReturnType<typeof useMarkRows<ChapterRow>>;
  /** Seconds; 0 while it is unknown. */
  duration: number;
  /** It may have chapters inside. */
  audio: StoredFile | null;
};

/** Chapters as rows that are set by ear, or as text, one a line. The view that is open is what is sent. */
export function ChaptersField({ marks, duration, audio }: Props) {
  const sound = useSound();
  const [lines, setLines] = useState<string | null>(null);
  const [problem, setProblem] = useState<string>();
  const { rows } = marks;

  const take = (found: Found[]) => {
    marks.replaceAll(found.map(toChapterRow));
    // The view may have changed while the notes were read.
    setLines((current) => (current === null ? null : writeChapters(found)));
  };
  const takeFromNotes = async ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    const read = await loadNotes().catch(() => null);
    if (!read) return setProblem(NOT_LOADED);
    const found = form ? read.chaptersInNotes(text(new FormData(form), "showNotes") ?? "") : [];
    setProblem(found.length === 0 ? NO_TIMES : undefined);
    if (found.length > 0) take(found);
  };
  const asText = rows.map(lineOf).join("\n");
  const openList = () => {
    const read = parseChapters(lines ?? "");
    if ("error" in read) return setProblem(read.error);
    setProblem(undefined);
    marks.load(withDetails(read.chapters, rows).map(toChapterRow));
    setLines(null);
  };
  const write = (typed: string) => {
    setLines(typed);
    setProblem(undefined);
    const read = parseChapters(typed);
    // Updates the marks on the waveform; a line that is being typed is not a chapter yet.
    if ("chapters" in read) marks.load(withDetails(read.chapters, rows).map(toChapterRow));
  };
  const isEmpty = lines === null ? rows.length === 0 : lines.trim() === "";
  const embedded = audio?.chapters ?? [];
  const written = lines ?? asText;
  /** The chapters filled in from the file that was chosen here. */
  const [filled, setFilled] = useState<string>();
  const fill = useEffectEvent(() => {
    if (embedded.length === 0 || !(isEmpty || written === filled)) return;
    take(embedded);
    setFilled(writeChapters(embedded));
  });
  const former = useRef(audio?.id);
  useEffect(() => {
    if (audio && audio.id !== former.current) fill();
    former.current = audio?.id;
  }, [audio]);
  return (
    <div className="grid gap-3">
      <ViewSwitch
        label="Chapters as"
        views={{ list: "Chapter list", text: "Chapters as text" }}
        current={lines === null ? "list" : "text"}
        onChange={(view) => (view === "text" ? setLines(asText) : openList())}
      />
      {lines === null && (
        // Not sent: the autosaved state of the form, which has no rows and is restored as text.
        <textarea
          hidden
          disabled
          name="chapters"
          value={asText}
          onChange={(event) => write(event.currentTarget.value)}
        />
      )}
      {lines === null ? (
        <MarkList
          name="chapters"
          legend="Chapters"
          noun="chapter"
          help={sound ? HELP : "A time, a title, and a link if you have one."}
          rows={rows}
          onListen={({ start }) => sound?.play(parseTime(start) ?? 0)}
          onPlace={({ key }) => sound && marks.move(key, { start: writeTime(sound.position) })}
          onRemove={marks.remove}
          onAdd={() =>
            marks.add({
              start: sound ? writeTime(sound.position) : "",
              title: "",
              url: "",
              img: "",
              end: "",
              toc: "",
            })
          }
        >
          {(row) => <Fields row={row} {...{ marks, duration }} />}
        </MarkList>
      ) : (
        <>
          {rows
            .filter(({ img, end, toc }) => img + end + toc !== "")
            .map((row) => (
              <Fragment key={row.key}>
                {(["start", "title", "img", "end", "toc"] as const).map((part) => (
                  <input key={part} type="hidden" name={`${DETAILED}.${part}`} value={row[part]} />
                ))}
              </Fragment>
            ))}
          <TextArea
            label="Chapters"
            name="chapters"
            rows={8}
            value={lines}
            onChange={(event) => write(event.currentTarget.value)}
            placeholder={"0:00 Welcome\n1:15 The second appointment"}
            help="One per line: a time, a title, and a link if you have one."
          />
        </>
      )}
      <div className="flex flex-wrap gap-3">
        {isEmpty && embedded.length > 0 && (
          <Button
            size="sm"
            onClick={() => take(embedded)}
          >{`Use the ${embedded.length} chapters in the audio file`}</Button>
        )}
        {isEmpty && (
          <Button size="sm" onClick={(event) => void takeFromNotes(event)}>
            Use chapters from the show notes
          </Button>
        )}
        <p role="status" className="text-sm text-muted empty:hidden">
          {problem ?? (!isEmpty && written === filled && FROM_FILE)}
        </p>
      </div>
    </div>
  );
}

const HELP =
  "Listen, and add a chapter where it begins. In a time field, the up and down arrows move it by 0.1 seconds, with Shift by a second.";
const NO_TIMES = "No line of the show notes begins with a time, such as “2:05 The turn”.";
const NOT_LOADED = "The show notes couldn’t be read. Check your connection, and try again.";

const lineOf = ({ start, title, url }: ChapterRow) => [start, title, url].filter(Boolean).join(" ");

type FieldsProps = Pick<Props, "marks" | "duration"> & { row: ChapterRow };

function Fields({ row: { key, start, title, url, img, end, toc }, marks, duration }: FieldsProps) {
  const [isDetailed] = useState(img + end + toc !== "");
  const titleError = useFieldError("chapters.title");
  const urlError = useFieldError("chapters.url");
  const imgError = useFieldError("chapters.img");
  return (
    <>
      <div className="w-28">
        <TimeField
          label="Starts at"
          name="chapters.start"
          value={start}
          onChange={(time) => marks.change(key, { start: time })}
          problem={startProblem(start, key, marks.rows, duration)}
        />
      </div>
      <TextField
        label="Title"
        name="chapters.title"
        value={title}
        maxLength={200}
        error={titleError}
        onChange={(event) => marks.change(key, { title: event.currentTarget.value })}
        className="min-w-44 flex-2"
      />
      <TextField
        label="Link"
        name="chapters.url"
        type="url"
        value={url}
        error={urlError}
        onChange={(event) => marks.change(key, { url: event.currentTarget.value })}
        className="min-w-36 flex-1"
      />
      <details open={isDetailed || Boolean(imgError)} className="w-full text-sm">
        <summary className="w-fit cursor-pointer py-1 text-muted">For apps</summary>
        <div className="flex flex-wrap items-start gap-3 pt-2">
          <TextField
            label="Chapter picture"
            name="chapters.img"
            value={img}
            error={imgError}
            onChange={(event) => marks.change(key, { img: event.currentTarget.value })}
            placeholder="https://"
            help="Shown during the chapter by Podcast Guru, Podverse, Fountain and Castamatic."
            className="min-w-44 flex-2"
          />
          <div className="w-28">
            <TimeField
              label="Ends at"
              name="chapters.end"
              value={end}
              onChange={(time) => marks.change(key, { end: time })}
              problem={end === "" ? null : timeProblem(end)}
            />
          </div>
          <SelectField
            label="In the list of chapters"
            name="chapters.toc"
            value={toc}
            onChange={(event) => marks.change(key, { toc: event.currentTarget.value })}
          >
            <option value="">Yes</option>
            <option value="no">No, only its picture or link</option>
          </SelectField>
        </div>
      </details>
    </>
  );
}

function startProblem(start: string, key: string, rows: ChapterRow[], duration: number) {
  const seconds = parseTime(start);
  if (seconds === null) return timeProblem(start);
  if (seconds >= endOf(duration)) return `The episode ends at ${clockOf(duration)}.`;
  const other = rows.find((row) => row.key !== key && parseTime(row.start) === seconds);
  return other ? `Another chapter starts at ${start}.` : null;
}
