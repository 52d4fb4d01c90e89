import { useEffect, useMemo, useState, type ReactNode } from "react";
import type { EpisodeInput } from "#worker/episodes/contract.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import { Deck } from "../sound/deck.tsx";
import { LoudnessPanel } from "../sound/loudness-panel.tsx";
import { Sound, SoundContext } from "../sound/sound.ts";
import type { Mark } from "../sound/wave-view.ts";
import { parseTime, writeTime } from "./chapter-lines.ts";
import { ChaptersField, toChapterRow, type ChapterRow } from "./chapters-field.tsx";
import { GeneratedFields, useGenerated } from "./generated-fields.tsx";
import { useMarkRows, type MarkRow } from "./mark-rows.ts";
import { acceptInto } from "./proposals/accept.ts";
import { ProposalsPanel } from "./proposals/panel.tsx";
import { SoundbitesField, type SoundbiteRow } from "./soundbites-field.tsx";
import { firstTranscript } from "./sent-transcript.ts";
import { TranscriptField } from "./transcript-field.tsx";

type Props = {
  values: EpisodeInput;
  audio: StoredFile | null;
  /** Buttons that make copies of it. */
  copies: ReactNode;
  /** Null until it is saved once. */
  episode: number | null;
};

/** What is set while one listens: chapters, soundbites and the transcript. */
export function SoundFields({ values, audio, copies, episode }: Props) {
  const duration = audio?.durationSeconds ?? values.durationSeconds;
  const sound = useSoundOf(audio, duration);
  const chapters = useMarkRows<ChapterRow>("c", () => values.chapters.map(toChapterRow));
  const soundbites = useMarkRows<SoundbiteRow>("s", () =>
    values.soundbites.map(({ start, duration: seconds, title }) => ({
      start: writeTime(start),
      duration: String(seconds),
      title,
    })),
  );
  const generated = useGenerated(values.generated);
  /** Changes when proposed chapters replace the typed ones, so that the list and the text show them. */
  const [replaced, setReplaced] = useState(0);
  const form = acceptInto({
    chapters: {
      rows: chapters.rows,
      replaceAll(found) {
        chapters.replaceAll(found.map(toChapterRow));
        setReplaced(replaced + 1);
      },
    },
    soundbites,
    mark: generated.mark,
  });
  const marks = useMemo(
    () => [...chapters.rows.flatMap(chapterMark), ...soundbites.rows.flatMap(soundbiteMark)],
    [chapters.rows, soundbites.rows],
  );
  const move = (id: string, start: number, end: number) => {
    if (chapters.rows.some(({ key }) => key === id)) chapters.move(id, { start: writeTime(start) });
    else soundbites.move(id, { start: writeTime(start), duration: lengthOf(start, end) });
  };
  return (
    <SoundContext value={sound}>
      {sound && audio && <Deck sound={sound} file={audio} marks={marks} onMove={move} />}
      {audio && <LoudnessPanel file={audio} />}
      {copies}
      <ChaptersField key={replaced} marks={chapters} duration={duration} audio={audio} />
      <SoundbitesField marks={soundbites} duration={duration} />
      <TranscriptField
        initial={() => firstTranscript(values)}
        lasts={duration}
        episode={episode}
        onGenerated={(model) => generated.mark("transcript", model)}
      />
      {episode !== null && <ProposalsPanel key={episode} episode={episode} form={form} />}
      <GeneratedFields {...generated} />
    </SoundContext>
  );
}

/** Another one for another file. */
function useSoundOf(audio: StoredFile | null, duration: number) {
  const url = audio?.url;
  const sound = useMemo(() => (url === undefined ? null : new Sound(url, duration)), [url, duration]);
  useEffect(() => () => sound?.close(), [sound]);
  return sound;
}

const lengthOf = (start: number, end: number) => String(Math.round((end - start) * 10) / 10);

/** None while its time is being typed. */
function markOf({ key, start }: MarkRow, label: string, seconds = 0): Mark[] {
  const from = parseTime(start);
  return from === null ? [] : [{ id: key, start: from, end: from + seconds, label }];
}

const chapterMark = (row: ChapterRow, at: number) => markOf(row, String(at + 1));

const soundbiteMark = (row: SoundbiteRow, at: number) =>
  markOf(row, `♪ ${at + 1}`, parseTime(row.duration) ?? 0);
