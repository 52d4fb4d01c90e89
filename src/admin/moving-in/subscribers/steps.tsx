import { useEffect, useState, type ReactNode } from "react";
import { Button } from "#site/ui/button.tsx";
import { Steps, type Source } from "../wizard/steps.tsx";
import { CheckForm } from "./check-form.tsx";
import { NO_ANSWERS } from "./columns.ts";
import { openFile, type ListFile, type OpenedFile } from "./list-file.ts";
import { ReportView } from "./report-view.tsx";
import { listWork, type ListChoice, type ListPlan, type ListReport, type ReadList } from "./work.ts";

type Props = {
  list: ListFile;
  /** Returns to the choice of the file. */
  onLeave: () => void;
};

/** From a file that was looked at to the report of its import. */
export const SubscriberSteps = ({ list, onLeave }: Props) => (
  <Steps source={listSource(onLeave)} first={{ list, mapping: {}, answers: NO_ANSWERS }} onLeave={onLeave} />
);

const listSource = (onLeave: () => void): Source<ReadList, ListPlan, ListChoice, ListReport> => ({
  ...listWork,
  leaving: "Subscribers already added stay. You can import the rest later with the same file.",
  note: "Keep this page open until it’s done.",
  stop: { read: ANOTHER, run: "Cancel the import" },
  choose: ({ refusal }) => <Refused onLeave={onLeave}>{refusal?.error}</Refused>,
  plan: (props) => <CheckForm {...props} />,
  report: ({ report, onAgain }) => <ReportView {...report} onAnother={onAgain} />,
});

const ANOTHER = "Choose another file";

const Refused = ({ onLeave, children }: { onLeave: () => void; children: ReactNode }) => (
  <div className="grid max-w-3xl gap-4">
    <p role="alert" className="font-medium text-danger">
      {children}
    </p>
    <div>
      <Button onClick={onLeave}>{ANOTHER}</Button>
    </div>
  </div>
);

/** Opens a file before the steps of its import are shown. */
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
  return <Refused onLeave={onLeave}>{"error" in found ? found.error : "This isn’t a CSV file."}</Refused>;
}
