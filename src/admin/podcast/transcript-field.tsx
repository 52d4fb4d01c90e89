import { useState } from "react";
import { api, ApiError, readJson } from "#site/api.ts";
import { TextField as FileInput } from "#site/ui/field.tsx";
import { useFormState } from "../form/context.ts";
import { TextArea } from "../form/fields.tsx";
import { CueEditor } from "./cue-editor.tsx";
import { readCues, writeCues, type EditableCue } from "./transcript-cues.ts";
import { ViewSwitch } from "./view-switch.tsx";

/** Bytes. */
const MAX_TRANSCRIPT_FILE = 2_000_000;

const NO_TIMES =
  "This transcript has no times. To edit it while listening, paste WebVTT or SRT, or read it from a file.";
const NOT_READ = "The transcript couldn’t be loaded. Check your connection, then try again.";

/** A transcript as text, or cue by cue while it is heard. */
export function TranscriptField({ value }: { value: string }) {
  const [text, setText] = useState(value);
  const [cues, setCues] = useState<EditableCue[] | null>(null);
  const [problem, setProblem] = useState<string>();
  const [isReading, setReading] = useState(false);
  const { markChanged } = useFormState();
  const readFile = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > MAX_TRANSCRIPT_FILE) return setProblem("File size must be less than 2MB");
    setProblem(undefined);
    setText(await file.text());
    setCues(null);
    markChanged();
  };
  const openCues = async () => {
    setProblem(undefined);
    const known = readCues(text);
    if (known) return setCues(known);
    setReading(true);
    const read = await readByServer(text);
    setReading(false);
    if ("problem" in read) return setProblem(read.problem);
    setText(read.transcript);
    setCues(read.cues);
  };
  const openText = () => {
    if (cues) setText(writeCues(cues));
    setCues(null);
  };
  const edit = (edited: EditableCue[]) => {
    setCues(edited);
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
      <p role="status" className="text-sm text-muted empty:hidden">
        {isReading && "Reading the transcript…"}
      </p>
      {cues ? (
        <>
          {/* A text area, so that a crash leaves its text behind as of the other view. */}
          <textarea
            hidden
            name="transcript"
            value={writeCues(cues)}
            // By what fills the form: an earlier text, or somebody else's version.
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
          onChange={(event) => setText(event.currentTarget.value)}
          help="WebVTT or SRT, or plain text without times. Paste it here or read it from a file."
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
        accept=".vtt,.srt,.txt,text/vtt,text/plain"
        onChange={(event) => {
          void readFile(event.currentTarget.files?.[0]);
          // Choosing the same file again is a change only from an empty value.
          event.currentTarget.value = "";
        }}
      />
    </div>
  );
}

/** As it would be stored, or what is wrong with it. */
async function readByServer(text: string) {
  try {
    const { transcript } = await readJson(
      api.episodes["check-transcript"].$post({ json: { transcript: text } }),
    );
    const cues = readCues(transcript);
    return cues ? { transcript, cues } : { problem: NO_TIMES };
  } catch (error) {
    return { problem: error instanceof ApiError ? error.message : NOT_READ };
  }
}
