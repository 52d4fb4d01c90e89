import { useState } from "react";
import { Link } from "#site/document/link.tsx";
import { Button } from "#site/ui/button.tsx";
import { controlClass, Field } from "#site/ui/field.tsx";
import { useHydrated } from "#site/ui/use-hydrated.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { openFile, type ListFile } from "../../moving-in/subscribers/list-file.ts";
import { StepsOfFile, SubscriberSteps } from "../../moving-in/subscribers/steps.tsx";
import { LIST } from "./subscriber-states.ts";

export const meta = pageTitle("Import subscribers");

/** The steps from a file to its report. The browser parses the file and sends its rows in parts. */
export default function ImportSubscribers() {
  return (
    <>
      <Link to={LIST} className="link mb-4 inline-block text-sm">
        All subscribers
      </Link>
      <h1 className="mb-6 text-xl font-semibold">Import subscribers</h1>
      <Steps />
    </>
  );
}

/** A zip may have several lists, each imported separately. */
type Chosen = { list: ListFile } | { lists: File[] };

function Steps() {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [ofZip, setOfZip] = useState<File | null>(null);
  const [done, setDone] = useState<File[]>([]);
  if (!chosen) return <ChooseFile onChoose={setChosen} />;
  if ("list" in chosen) return <SubscriberSteps list={chosen.list} onLeave={() => setChosen(null)} />;
  if (ofZip) {
    const leave = () => {
      setDone([...done, ofZip]);
      setOfZip(null);
    };
    return (
      <StepsOfFile file={ofZip} onLeave={leave} waiting={<p role="status">Reading the subscriber list</p>} />
    );
  }
  return <ChooseList lists={chosen.lists} done={done} onChoose={setOfZip} onLeave={() => setChosen(null)} />;
}

type ListsProps = { lists: File[]; done: File[]; onChoose: (list: File) => void; onLeave: () => void };

const ChooseList = ({ lists, done, onChoose, onLeave }: ListsProps) => (
  <div className="grid max-w-3xl gap-4">
    <h2 className="font-semibold">Lists in this zip</h2>
    <p className="text-muted">
      Import every list, including those of people who left, so they never get a letter.
    </p>
    <ul className="grid gap-2">
      {lists.map((list) => (
        <li
          key={list.name}
          className="flex flex-wrap items-center justify-between gap-3 border-t border-rule pt-2"
        >
          <span className="min-w-0 wrap-anywhere">{list.name}</span>
          <span className="flex items-center gap-3">
            {done.includes(list) && <span className="text-sm text-muted">Reviewed</span>}
            <Button size="sm" aria-label={`Review ${list.name}`} onClick={() => onChoose(list)}>
              Review
            </Button>
          </span>
        </li>
      ))}
    </ul>
    <div>
      <Button onClick={onLeave}>Choose another file</Button>
    </div>
  </div>
);

function ChooseFile({ onChoose }: { onChoose: (chosen: Chosen) => void }) {
  const [error, setError] = useState<string | null>(null);
  const [isOpening, setOpening] = useState(false);
  const isHydrated = useHydrated();
  const choose = async (file: File | undefined) => {
    if (!file) return;
    setError(null);
    setOpening(true);
    const found = await openFile(file).catch((cause: unknown) => {
      console.error(cause);
      return { error: "The file couldn’t be read. Choose it again." };
    });
    setOpening(false);
    if ("error" in found) setError(found.error);
    else onChoose(found);
  };
  return (
    <div className="grid max-w-3xl gap-4">
      <p className="text-muted">
        A CSV file of up to 200 MB, or the zip as you downloaded it, for example from Mailchimp, Substack,
        beehiiv or Kit. You see who is in it before anyone is imported.
      </p>
      <p className="text-muted">
        Unsubscribing always wins: anyone who left here stays unsubscribed, whatever the file says. Anyone who
        left there is unsubscribed here too, unless they confirmed here after that.
      </p>
      <Field label="CSV file or zip" error={error}>
        {(control) => (
          <input
            type="file"
            accept=".csv,.tsv,.txt,.zip,text/csv,application/zip"
            {...control}
            disabled={!isHydrated}
            onChange={(event) => void choose(event.currentTarget.files?.[0])}
            className={`${controlClass} py-2`}
          />
        )}
      </Field>
      <p role="status" className="text-sm text-muted empty:hidden">
        {isOpening && "Opening the file"}
      </p>
    </div>
  );
}
