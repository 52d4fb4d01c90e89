import { useState, type KeyboardEvent } from "react";
import { Button } from "#site/ui/button.tsx";
import { Checkbox } from "#site/ui/controls.tsx";
import { TextField } from "#site/ui/field.tsx";
import { countMatches, replaceMatches, type EditableCue } from "./transcript-cues.ts";

type Props = {
  cues: EditableCue[];
  onChange: (cues: EditableCue[]) => void;
  /** Shows a cue, by its index. */
  onShow: (at: number) => void;
};

/** In the texts of all cues, also of those that are on another page. */
export function FindAndReplace({ cues, onChange, onShow }: Props) {
  const [find, setFind] = useState("");
  const [by, setBy] = useState("");
  const [matchCase, setMatchCase] = useState(false);
  const [last, setLast] = useState(-1);
  const [done, setDone] = useState<string | null>(null);
  const search = { find, matchCase };
  const found = find === "" ? [] : cues.flatMap((cue, at) => (countMatches(cue, search) > 0 ? [at] : []));
  const total = found.reduce((count, at) => count + countMatches(cues[at]!, search), 0);
  const next = () => {
    const at = found.find((place) => place > last) ?? found[0];
    if (at === undefined) return;
    setLast(at);
    onShow(at);
  };
  const replaceAll = () => {
    const places = new Set(found);
    onChange(cues.map((cue, at) => (places.has(at) ? replaceMatches(cue, search, by) : cue)));
    setDone(`${total} replaced.`);
  };
  const changeFind = (value: string) => {
    setFind(value);
    setLast(-1);
    setDone(null);
  };
  const findByEnter = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    // It is not the form that is sent.
    event.preventDefault();
    next();
  };
  return (
    // The search query is not part of the form.
    <div
      role="group"
      aria-label="Find and replace"
      onChange={(event) => event.stopPropagation()}
      className="grid gap-2"
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="Find"
          value={find}
          maxLength={200}
          onChange={(event) => changeFind(event.currentTarget.value)}
          onKeyDown={findByEnter}
        />
        <TextField
          label="Replace with"
          value={by}
          maxLength={200}
          onChange={(event) => setBy(event.currentTarget.value)}
          onKeyDown={findByEnter}
        />
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Checkbox
          label="Match case"
          checked={matchCase}
          onChange={(event) => setMatchCase(event.currentTarget.checked)}
        />
        <Button size="sm" disabled={total === 0} onClick={next}>
          Find next
        </Button>
        <Button size="sm" disabled={total === 0} onClick={replaceAll}>
          Replace all
        </Button>
        <p role="status" className="text-sm text-muted tabular-nums">
          {done ?? (find !== "" && `${total} found`)}
        </p>
      </div>
    </div>
  );
}
