import { useEffect, useState, type ReactNode } from "react";
import { CheckForm } from "./check-form.tsx";
import { inspect, type Inspected } from "./inspect.ts";
import { ReportView } from "./report-view.tsx";
import type { ImportPlan } from "./run.ts";
import { Running } from "./running.tsx";
import { useImport } from "./use-import.ts";

type Props = {
  inspected: Inspected;
  /** Back to where the file was chosen. */
  onLeave: () => void;
};

/** From a file that was looked at to the report of its import. */
export function SubscriberSteps({ inspected, onLeave }: Props) {
  const [plan, setPlan] = useState<ImportPlan | null>(null);
  const { state, start, ask, cancel, clear } = useImport();
  if (state?.is === "running" && plan) {
    const progress = plan.file.size === 0 ? 1 : state.bytes / plan.file.size;
    return <Running {...state} progress={progress} onCancel={cancel} />;
  }
  if (state?.is === "done" && plan) {
    const leave = () => {
      clear();
      onLeave();
    };
    return <ReportView {...state} onAsk={() => void ask(plan)} onAnother={leave} />;
  }
  return (
    <CheckForm
      inspected={inspected}
      onCancel={onLeave}
      onStart={(started, options) => {
        setPlan(started);
        void start(started, options);
      }}
    />
  );
}

/** Looks at a file before it shows the steps of its import. */
export function StepsOfFile({
  file,
  onLeave,
  waiting,
}: {
  file: File;
  onLeave: () => void;
  waiting: ReactNode;
}) {
  const [found, setFound] = useState<Inspected | { error: string } | null>(null);
  useEffect(() => {
    let isOver = false;
    void inspect(file)
      .catch((cause: unknown) => {
        console.error(cause);
        return { error: "The file couldn’t be read. Choose it again." };
      })
      .then((answer) => isOver || setFound(answer));
    return () => {
      isOver = true;
    };
  }, [file]);
  if (!found) return waiting;
  if ("error" in found) return <p role="alert">{found.error}</p>;
  return <SubscriberSteps inspected={found} onLeave={onLeave} />;
}
