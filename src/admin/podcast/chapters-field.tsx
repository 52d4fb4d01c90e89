import { useState, type MouseEvent } from "react";
import { Button } from "#site/ui/button.tsx";
import type { Chapter } from "#worker/episodes/contract.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import { useFormState } from "../form/context.ts";
import { TextArea } from "../form/fields.tsx";
import { text } from "../form/read.ts";
import { chaptersInNotes, writeChapters } from "./chapter-lines.ts";

type Props = {
  chapters: Chapter[];
  /** Found inside the audio file. */
  embedded: StoredFile["chapters"];
};

export function ChaptersField({ chapters, embedded }: Props) {
  const [lines, setLines] = useState(() => writeChapters(chapters));
  const { markChanged } = useFormState();
  const [problem, setProblem] = useState<string>();
  const take = (found: Parameters<typeof writeChapters>[0]) => {
    setLines(writeChapters(found));
    markChanged();
  };
  const takeFromNotes = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    const found = form ? chaptersInNotes(text(new FormData(form), "showNotes") ?? "") : [];
    if (found.length === 0) return setProblem(NO_TIMES);
    setProblem(undefined);
    take(found);
  };
  return (
    <>
      <TextArea
        label="Chapters"
        name="chapters"
        rows={6}
        value={lines}
        onChange={(event) => setLines(event.currentTarget.value)}
        placeholder={"0:00 Welcome\n1:15 The second appointment"}
        help="One a line: a time, a title, and a link if there is one."
      />
      {lines.trim() === "" && (
        <div className="flex flex-wrap gap-3">
          {embedded.length > 0 && (
            <Button size="sm" onClick={() => take(embedded)}>
              Use the {embedded.length} chapters inside the audio file
            </Button>
          )}
          <Button size="sm" onClick={takeFromNotes}>
            Take chapters from the show notes
          </Button>
          <p role="status" className="text-sm text-muted empty:hidden">
            {problem}
          </p>
        </div>
      )}
    </>
  );
}

const NO_TIMES = "No line of the show notes begins with a time, such as “2:05 The turn”.";
