import { useState } from "react";
import { TextField as FileInput } from "#site/ui/field.tsx";
import { TextArea } from "../form/fields.tsx";

/** Bytes. */
const MAX_TRANSCRIPT_FILE = 2_000_000;

export function TranscriptField({ value }: { value: string }) {
  const [text, setText] = useState(value);
  const [problem, setProblem] = useState<string>();
  const read = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > MAX_TRANSCRIPT_FILE) return setProblem("File size must be less than 2MB");
    setProblem(undefined);
    setText(await file.text());
  };
  return (
    <>
      <TextArea
        label="Transcript"
        name="transcript"
        rows={6}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        help="WebVTT or SRT, or plain text without times, pasted here or read from a file."
        className="[&_textarea]:font-mono"
      />
      <FileInput
        label="Read a transcript file"
        type="file"
        className="[&_input]:py-1.5"
        accept=".vtt,.srt,.txt,text/vtt,text/plain"
        error={problem}
        onChange={(event) => void read(event.currentTarget.files?.[0])}
      />
    </>
  );
}
