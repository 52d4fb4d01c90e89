import { useState } from "react";
import { Link } from "#site/document/link.tsx";
import { controlClass, Field } from "#site/ui/field.tsx";
import { useHydrated } from "#site/ui/use-hydrated.ts";
import { pageTitle } from "../../page-title.ts";
import { CheckForm } from "../subscribers-import/check-form.tsx";
import { inspect, type Inspected } from "../subscribers-import/inspect.ts";
import { ReportView } from "../subscribers-import/report-view.tsx";
import type { ImportPlan } from "../subscribers-import/run.ts";
import { Running } from "../subscribers-import/running.tsx";
import { useImport } from "../subscribers-import/use-import.ts";
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
  const [plan, setPlan] = useState<ImportPlan | null>(null);
  const { state, start, ask, cancel, clear } = useImport();
  if (state?.is === "running" && plan) {
    const progress = plan.file.size === 0 ? 1 : state.bytes / plan.file.size;
    return <Running {...state} progress={progress} onCancel={cancel} />;
  }
  if (state?.is === "done" && plan) {
    const again = () => {
      setInspected(null);
      clear();
    };
    return <ReportView {...state} onAsk={() => void ask(plan)} onAnother={again} />;
  }
  if (!inspected) return <ChooseFile onChoose={setInspected} />;
  return (
    <CheckForm
      inspected={inspected}
      onCancel={() => setInspected(null)}
      onStart={(started, options) => {
        setPlan(started);
        void start(started, options);
      }}
    />
  );
}

function ChooseFile({ onChoose }: { onChoose: (inspected: Inspected) => void }) {
  const [error, setError] = useState<string | null>(null);
  const isHydrated = useHydrated();
  const choose = async (file: File | undefined) => {
    if (!file) return;
    setError(null);
    const found = await inspect(file).catch((cause: unknown) => {
      console.error(cause);
      return { error: "The file could not be read. Choose it again." };
    });
    if ("error" in found) setError(found.error);
    else onChoose(found);
  };
  return (
    <div className="grid max-w-3xl gap-4">
      <p className="text-muted">
        A CSV file, such as Mailchimp, Substack, beehiiv and Kit export it, of 200 MB at most. Whoever
        unsubscribed, bounced or complained here stays so, whatever the file says.
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
