import { useState } from "react";
import { Button } from "#site/ui/button.tsx";
import { TextArea } from "#site/ui/controls.tsx";
import type { Chapter } from "#worker/episodes/contract.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import { writeChapters } from "./lines.ts";

type Props = {
  chapters: Chapter[];
  /** Found inside the audio file. */
  embedded: StoredFile["chapters"];
  error?: string;
};

export function ChaptersField({ chapters, embedded, error }: Props) {
  const [text, setText] = useState(() => writeChapters(chapters));
  return (
    <>
      <TextArea
        label="Chapters"
        name="chapters"
        rows={6}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={error}
        placeholder={"0:00 Welcome\n1:15 The second appointment"}
        help="One a line: a time, a title, and a link if there is one."
      />
      {embedded.length > 0 && text.trim() === "" && (
        <Button size="sm" className="justify-self-start" onClick={() => setText(writeChapters(embedded))}>
          Use the {embedded.length} chapters inside the audio file
        </Button>
      )}
    </>
  );
}
