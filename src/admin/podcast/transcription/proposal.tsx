import { useEffect, useId, useState } from "react";
import { Button } from "#site/ui/button.tsx";
import { Checkbox, TextArea } from "#site/ui/controls.tsx";
import { TextField } from "#site/ui/field.tsx";
import type { TranscriptionDraft } from "#worker/transcription/contract.ts";
import { correctionsIn, voicesIn, withNames } from "./names.ts";
import { wordsOf } from "../model-job.ts";
import { readDraft } from "./use-transcription.ts";

type Props = {
  episode: number;
  isBusy: boolean;
  /** `voices`: names to save for the show, in the order of the voices. */
  onUse: (transcript: string, voices: string[] | null) => Promise<void>;
};

/** The generated transcript: names for its voices, corrections of names, and the button that takes it. */
export function Proposal(props: Props) {
  const [tries, setTries] = useState(0);
  return <Draft key={tries} {...props} onRetry={() => setTries(tries + 1)} />;
}

function Draft({ episode, isBusy, onUse, onRetry }: Props & { onRetry: () => void }) {
  const [draft, setDraft] = useState<TranscriptionDraft>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    let isOver = false;
    readDraft(episode).then(
      (found) => isOver || setDraft(found),
      (failure: unknown) => isOver || setError(wordsOf(failure)),
    );
    return () => void (isOver = true);
  }, [episode]);
  if (error)
    return (
      <div className="grid justify-items-start gap-2">
        <p role="alert" className="text-sm font-medium text-danger">
          {error}
        </p>
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      </div>
    );
  if (!draft)
    return (
      <p role="status" className="text-sm text-muted">
        Reading the generated transcript…
      </p>
    );
  return <Names draft={draft} isBusy={isBusy} onUse={onUse} />;
}

type NamesProps = Omit<Props, "episode"> & { draft: TranscriptionDraft };

function Names({ draft: { transcript, names, saved }, isBusy, onUse }: NamesProps) {
  const [voices] = useState(() => voicesIn(transcript));
  const [corrections] = useState(() => correctionsIn(transcript, names));
  const [named, setNamed] = useState<Record<string, string>>(() =>
    Object.fromEntries(voices.map(({ voice }, at) => [voice, saved[at] ?? ""])),
  );
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [isSaved, setSaved] = useState(false);
  const list = useId();
  const given = voices.map(({ voice }) => named[voice]?.trim() ?? "").filter(Boolean);
  const use = () =>
    onUse(
      withNames(transcript, { voices: named, corrections: corrections.filter((_, at) => chosen.has(at)) }),
      isSaved && given.length > 0 ? given : null,
    );
  const toggle = (at: number) => {
    const next = new Set(chosen);
    if (!next.delete(at)) next.add(at);
    setChosen(next);
  };
  return (
    <>
      {voices.length > 0 && (
        <fieldset className="grid gap-3">
          <legend className="mb-2 text-sm font-medium">Who speaks?</legend>
          <datalist id={list}>
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </datalist>
          <div className="grid gap-3 sm:grid-cols-2">
            {voices.map(({ voice, says }) => (
              <TextField
                key={voice}
                label={`${voice} is`}
                list={list}
                dir="auto"
                maxLength={100}
                value={named[voice]}
                onChange={(event) => setNamed({ ...named, [voice]: event.currentTarget.value })}
                help={`Begins with “${says.length > 60 ? `${says.slice(0, 60)}…` : says}”`}
              />
            ))}
          </div>
          <Checkbox
            label="Save these names for the podcast"
            checked={isSaved}
            onChange={() => setSaved(!isSaved)}
            help="The next transcript’s speakers begin with them, in this order."
          />
        </fieldset>
      )}
      {corrections.length > 0 && (
        <fieldset>
          <legend className="mb-2 text-sm font-medium">Names that may be misspelt</legend>
          <div className="grid max-h-64 gap-2 overflow-y-auto">
            {corrections.map(({ from, to, count }, at) => (
              <Checkbox
                key={`${from} ${to}`}
                label={`“${from}” is “${to}”${count > 1 ? `, ${count} times` : ""}`}
                checked={chosen.has(at)}
                onChange={() => toggle(at)}
              />
            ))}
          </div>
        </fieldset>
      )}
      <details className="text-sm">
        <summary className="cursor-pointer text-muted">Read it</summary>
        <TextArea
          label="The generated transcript"
          readOnly
          rows={10}
          dir="auto"
          className="mt-2"
          value={transcript}
        />
      </details>
      <Button tone="primary" className="justify-self-start" busy={isBusy} onClick={() => void use()}>
        Use this transcript
      </Button>
    </>
  );
}
