import { useRef, useState } from "react";
import { api, ApiError, readJson } from "#site/api.ts";
import { TextField as FileInput } from "#site/ui/field.tsx";
import { useFormState } from "../form/context.ts";
import { TextArea } from "../form/fields.tsx";
import { encodingNames, NotText, wholeTextOf } from "../moving-in/file-text.ts";
import { CueEditor } from "./cue-editor.tsx";
import { TranscriptionPanel } from "./transcription/panel.tsx";
import { readCues, writeCues, type EditableCue } from "./transcript-cues.ts";
import { ViewSwitch } from "./view-switch.tsx";
import { VoicesOffer } from "./voices-offer.tsx";

/** In bytes. */
const MAX_TRANSCRIPT_FILE = 2_000_000;

const NO_TIMES =
  "This transcript has no times. To edit it while listening, paste WebVTT or SRT, or read it from a file.";
const NOT_READ = "The transcript couldn’t be loaded. Check your connection, then try again.";
const GENERATED = "The generated transcript is in the form. Read it, then save the episode.";
const NOT_TEXT =
  "This file isn’t text; it may be a Word document or a recording. Export the transcript as SRT, WebVTT or plain text, and choose that file.";

/** Cues shown in the offer to turn names into voices. */
const SHOWN = 4;

type Notices = {
  sentences: string[];
  offer: { names: string[]; sample: EditableCue[]; voiced: string } | null;
};
const NOTHING: Notices = { sentences: [], offer: null };

type Props = {
  initial: () => string;
  /** Seconds of the recording, 0 while they are unknown. */
  lasts: number;
  /** Null until it is saved once. */
  episode: number | null;
  /** A transcript of this model was taken. */
  onGenerated: (model: string) => void;
};

/** Edits a transcript as text, or cue by cue with playback. */
export function TranscriptField({ initial, lasts, episode, onGenerated }: Props) {
  const [text, setText] = useState(initial);
  const [cues, setCues] = useState<EditableCue[] | null>(null);
  const [problem, setProblem] = useState<string>();
  const [notices, setNotices] = useState(NOTHING);
  const [isReading, setReading] = useState(false);
  const { markChanged } = useFormState();
  const status = useRef<HTMLDivElement>(null);
  /** The file that was chosen last: an earlier, larger one may finish reading after it. */
  const chosen = useRef<File>(null);
  // The offer does not include later edits.
  const withdrawOffer = () => notices.offer && setNotices({ ...notices, offer: null });
  const answerOffer = (voiced: string | null) => {
    if (voiced !== null) show(voiced);
    const answer = voiced === null ? "The names are text." : "The names are now speakers.";
    setNotices({ sentences: [...notices.sentences, answer], offer: null });
    // The buttons, which had the focus, are removed.
    status.current?.focus();
  };
  const show = (transcript: string) => {
    setText(transcript);
    setCues(null);
    markChanged();
  };
  const takeGenerated = (transcript: string, model: string) => {
    show(transcript);
    onGenerated(model);
    setProblem(undefined);
    setNotices({ sentences: [GENERATED], offer: null });
    status.current?.focus();
  };
  const readFile = async (file: File | undefined) => {
    if (!file) return;
    chosen.current = file;
    setNotices(NOTHING);
    setReading(false);
    if (file.size > MAX_TRANSCRIPT_FILE) return setProblem("File size must be less than 2MB");
    setProblem(undefined);
    setReading(true);
    const read = await readAsText(file, lasts);
    if (chosen.current !== file) return;
    setReading(false);
    if ("problem" in read) return setProblem(read.problem);
    show(read.transcript);
    setNotices({
      sentences: [
        `Read as ${read.format} in ${encodingNames[read.encoding]}, with ${countOf(read.cues)}.`,
        ...read.notes,
      ],
      offer: read.offer,
    });
  };
  const openCues = async () => {
    setProblem(undefined);
    const known = readCues(text);
    if (known) return setCues(known);
    setReading(true);
    const read = await readByServer(text, lasts);
    setReading(false);
    if ("problem" in read) return setProblem(read.problem);
    const readable = readCues(read.transcript);
    if (!readable) return setProblem(NO_TIMES);
    setText(read.transcript);
    setCues(readable);
    setNotices({ sentences: read.notes, offer: read.offer });
  };
  const openText = () => {
    if (cues) setText(writeCues(cues));
    setCues(null);
  };
  const edit = (edited: EditableCue[]) => {
    setCues(edited);
    withdrawOffer();
    markChanged();
  };
  return (
    <div className="grid gap-3">
      <ViewSwitch
        label="Transcript as"
        views={{ text: "Transcript as text", cues: "Edit while listening" }}
        current={cues ? "cues" : "text"}
        onChange={(view) => (view === "text" ? openText() : void openCues())}
      />
      <div ref={status} role="status" tabIndex={-1} className="text-sm text-muted empty:hidden">
        {isReading && <p>Reading the transcript…</p>}
        {notices.sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      {notices.offer && (
        <VoicesOffer
          {...notices.offer}
          onAccept={() => answerOffer(notices.offer!.voiced)}
          onRefuse={() => answerOffer(null)}
        />
      )}
      {cues ? (
        <>
          {/* A text area, so that the text is saved as a draft like that of the other view. */}
          <textarea
            hidden
            name="transcript"
            value={writeCues(cues)}
            // Changed by what fills the form: an earlier draft, or another editor's version.
            onChange={(event) => {
              setText(event.currentTarget.value);
              setCues(null);
            }}
          />
          <CueEditor cues={cues} onChange={edit} />
        </>
      ) : (
        <TextArea
          label="Transcript"
          name="transcript"
          rows={6}
          value={text}
          readOnly={isReading}
          onChange={(event) => {
            setText(event.currentTarget.value);
            withdrawOffer();
          }}
          help="WebVTT, SRT, JSON, TTML, SBV, LRC, ASS, a table of Whisper’s, a text with speakers and times, or plain text. Paste it here or read it from a file."
          className="[&_textarea]:font-mono"
        />
      )}
      {problem && (
        <p role="alert" className="text-sm font-medium text-danger">
          {problem}
        </p>
      )}
      <FileInput
        label="Read a transcript file"
        type="file"
        className="[&_input]:py-1.5"
        accept=".vtt,.srt,.txt,.json,.tsv,.csv,.lrc,.sbv,.ttml,.dfxp,.xml,.ass,.ssa,text/*"
        onChange={(event) => {
          void readFile(event.currentTarget.files?.[0]);
          // Choosing the same file again fires a change only if the value is empty.
          event.currentTarget.value = "";
        }}
      />
      {episode !== null && <TranscriptionPanel key={episode} episode={episode} onAccept={takeGenerated} />}
    </div>
  );
}

const countOf = (cues: number) =>
  cues === 0 ? "no times" : cues === 1 ? "1 cue" : `${cues.toLocaleString("en")} cues`;

async function readAsText(file: File, lasts: number) {
  try {
    const { encoding, text } = await wholeTextOf(file);
    return { encoding, ...(await readByServer(text, lasts)) };
  } catch (error) {
    if (!(error instanceof NotText)) throw error;
    return { problem: NOT_TEXT };
  }
}

/** The transcript as it would be stored, with and without the voices that its names may be; or its errors. */
async function readByServer(transcript: string, lasts: number) {
  try {
    const read = await check({ transcript, lasts });
    if (read.names.length === 0) return { ...read, offer: null };
    const voiced = (await check({ transcript, lasts, voices: read.names })).transcript;
    const sample = readCues(voiced)?.slice(0, SHOWN) ?? [];
    return { ...read, offer: { names: read.names, sample, voiced } };
  } catch (error) {
    return { problem: error instanceof ApiError ? error.message : NOT_READ };
  }
}

const check = (json: { transcript: string; lasts: number; voices?: string[] }) =>
  readJson(api.episodes["check-transcript"].$post({ json }));
