import { useState } from "react";
import { Button } from "#site/ui/button.tsx";
import type { Chapter } from "#worker/episodes/contract.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import { useFormState } from "../form/context.ts";
import { TextArea } from "../form/fields.tsx";
import { writeChapters } from "./chapter-lines.ts";

type Props = {
  chapters: Chapter[];
  /** Found inside the audio file. */
  embedded: StoredFile["chapters"];
};

export function ChaptersField({ chapters, embedded }: Props) {
  const [text, setText] = useState(() => writeChapters(chapters));
  const { markChanged } = useFormState();
  const takeFromAudio = () => {
    setText(writeChapters(embedded));
    markChanged();
  };
  return (
    <>
      <TextArea
        label="Chapters"
        name="chapters"
        rows={6}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        placeholder={"0:00 Welcome\n1:15 The second appointment"}
        help="One a line: a time, a title, and a link if there is one."
      />
      {embedded.length > 0 && text.trim() === "" && (
        <Button size="sm" className="justify-self-start" onClick={takeFromAudio}>
          Use the {embedded.length} chapters inside the audio file
        </Button>
      )}
    </>
  );
}
