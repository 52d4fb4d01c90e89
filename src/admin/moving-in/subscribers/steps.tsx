import { useEffect, useState, type ReactNode } from "react";
import { CheckForm } from "./check-form.tsx";
import { openFile, type ListFile, type OpenedFile } from "./list-file.ts";
import { ReportView } from "./report-view.tsx";
import type { ImportPlan } from "./run.ts";
import { Running } from "./running.tsx";
import { useImport } from "./use-import.ts";

type Props = {
  list: ListFile;
  /** Back to where the file was chosen. */
  onLeave: () => void;
};

/** From a file that was looked at to the report of its import. */
export function SubscriberSteps({ list, onLeave }: Props) {
  const [plan, setPlan] = useState<ImportPlan | null>(null);
  const { state, start, ask, cancel, clear } = useImport();
  if (state?.is === "running" && plan) {
    return <Running {...state} progress={state.part} onCancel={cancel} />;
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
      list={list}
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
  const [found, setFound] = useState<OpenedFile | null>(null);
  useEffect(() => {
    let isOver = false;
    void openFile(file)
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
  if ("list" in found) return <SubscriberSteps list={found.list} onLeave={onLeave} />;
  return <p role="alert">{"error" in found ? found.error : "This isn’t a CSV file."}</p>;
}
