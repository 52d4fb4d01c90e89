import { useState } from "react";
import { Link } from "#site/document/link.tsx";
import { controlClass, Field } from "#site/ui/field.tsx";
import { useHydrated } from "#site/ui/use-hydrated.ts";
import { pageTitle } from "../../page-title.ts";
import { inspect, type Inspected } from "../subscribers-import/inspect.ts";
import { SubscriberSteps } from "../subscribers-import/steps.tsx";
import { LIST } from "./names.ts";

export const meta = pageTitle("Import subscribers");

/** From a file to its report. The file is read in the browser, and its rows are sent part by part. */
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

function Steps() {
  const [inspected, setInspected] = useState<Inspected | null>(null);
  if (!inspected) return <ChooseFile onChoose={setInspected} />;
  return <SubscriberSteps inspected={inspected} onLeave={() => setInspected(null)} />;
}

function ChooseFile({ onChoose }: { onChoose: (inspected: Inspected) => void }) {
  const [error, setError] = useState<string | null>(null);
  const isHydrated = useHydrated();
  const choose = async (file: File | undefined) => {
    if (!file) return;
    setError(null);
    const found = await inspect(file).catch((cause: unknown) => {
      console.error(cause);
      return { error: "The file couldn’t be read. Choose it again." };
    });
    if ("error" in found) setError(found.error);
    else onChoose(found);
  };
  return (
    <div className="grid max-w-3xl gap-4">
      <p className="text-muted">
        A CSV file of up to 200 MB, for example from Mailchimp, Substack, beehiiv or Kit. Anyone who
        unsubscribed, bounced or complained here stays that way, whatever the file says.
      </p>
      <Field label="CSV file" error={error}>
        {(control) => (
          <input
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            {...control}
            disabled={!isHydrated}
            onChange={(event) => void choose(event.currentTarget.files?.[0])}
            className={`${controlClass} py-2`}
          />
        )}
      </Field>
    </div>
  );
}
