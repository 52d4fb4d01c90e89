import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Button, ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { counted } from "#site/ui/format.ts";
import { LIST } from "../../newsletter/subscribers/subscriber-states.ts";
import { StepHeading } from "../wizard/plan-view.tsx";
import { MAX_PROBLEMS, type Counts, type Problem, type Report } from "./report.ts";
import { askPending, type ListReport } from "./work.ts";

type Props = ListReport & { onAnother: () => void };

/** Lines that the page shows; the file has all. */
const SHOWN = 100;

export function ReportView({ importId, report, stopped, asking: askedBefore, onAnother }: Props) {
  const [asking, setAsking] = useState(askedBefore);
  const ask = async () => {
    setAsking("underway");
    setAsking(await askPending(importId));
  };
  const isAsked = useRef(false);
  const askFirst = useEffectEvent(() => {
    if (askedBefore !== "underway" || isAsked.current) return;
    isAsked.current = true;
    void askPending(importId).then(setAsking);
  });
  useEffect(() => askFirst(), []);
  const { counts, unnamed } = report;
  const problems = report.inOrder();
  return (
    <div className="grid max-w-3xl gap-6">
      <StepHeading>{stopped === null ? "The import is complete" : "The import isn’t complete"}</StepHeading>
      {stopped !== null && (
        <p role="alert" className="border-l-4 border-danger pl-3">
          {`${stopped} Import the same file again to continue: no one is added twice.`}
        </p>
      )}
      <ul className="grid gap-1 tabular-nums">
        {lines(counts).map(([count, what]) => (
          <li key={what} className="grid grid-cols-[5rem_1fr] gap-4">
            <span className="text-right font-medium">{count.toLocaleString("en")}</span>
            <span>{what}</span>
          </li>
        ))}
      </ul>
      {counts.pending > 0 && <Asking asking={asking} pending={counts.pending} onAsk={() => void ask()} />}
      {problems.length > 0 && (
        <Problems problems={problems} unnamed={unnamed} onDownload={() => download(report)} />
      )}
      <ButtonRow>
        <ButtonLink to={LIST} tone="primary">
          Go to subscribers
        </ButtonLink>
        <Button onClick={onAnother}>Import another file</Button>
      </ButtonRow>
    </div>
  );
}

const lines = (counts: Counts): [number, string][] =>
  (
    [
      [counts.lines, counts.lines === 1 ? "line in total" : "lines in total"],
      [counts.confirmed, "added as verified"],
      [counts.pending, "added as pending"],
      [counts.blocked, "added as unsubscribed, bounced or complained, so they get no emails"],
      [counts.removed, "subscribed here until now, and taken off, since the file says they left"],
      [counts.known, "already subscribed"],
      [counts.unconfirmed, "already here, not confirmed yet: unchanged"],
      [counts.left, "unsubscribed, bounced or complained here: unchanged"],
      [counts.double, "duplicates in the file"],
      [counts.invalid, "left out, since they couldn’t be read or aren’t clear"],
      [counts.datesUnread, "had an unreadable date"],
    ] satisfies [number, string][]
  ).filter(([count], index) => index === 0 || count > 0);

type AskingProps = { asking: ListReport["asking"]; pending: number; onAsk: () => void };

function Asking({ asking, pending, onAsk }: AskingProps) {
  if (asking === "asked") {
    return (
      <p role="status">
        <span>{counted(pending, "pending subscriber")}</span> <span>{pending === 1 ? "is" : "are"}</span>{" "}
        being emailed to confirm, 100 a minute. Anyone who doesn’t is deleted after 30 days.
      </p>
    );
  }
  return (
    <div className="grid justify-items-start gap-3">
      <p>Pending subscribers get no letters until they confirm. They’re deleted 30 days after the import.</p>
      {asking === "failed" && (
        <p role="alert" className="font-medium text-danger">
          The emails weren’t sent. Please try again.
        </p>
      )}
      <Button
        busy={asking === "underway"}
        onClick={onAsk}
      >{`Email ${counted(pending, "pending subscriber")} to confirm`}</Button>
    </div>
  );
}

type ProblemsProps = { problems: Problem[]; unnamed: number; onDownload: () => void };

const Problems = ({ problems, unnamed, onDownload }: ProblemsProps) => (
  <section aria-labelledby="problems" className="grid gap-3">
    <div className="flex flex-wrap items-center justify-between gap-3">
      <h3 id="problems" className="font-semibold">
        Lines to check
      </h3>
      <Button size="sm" onClick={onDownload}>
        Download as CSV
      </Button>
    </div>
    <table className="w-full text-left text-sm">
      <thead className="sr-only">
        <tr>
          <th scope="col">Line</th>
          <th scope="col">Address</th>
          <th scope="col">Result</th>
        </tr>
      </thead>
      <tbody>
        {problems.slice(0, SHOWN).map(({ line, text, what }) => (
          <tr key={line} className="border-t border-rule *:py-2 *:pr-4">
            <td className="text-muted tabular-nums">{line}</td>
            <td className="wrap-anywhere">{text}</td>
            <td className="text-muted">{what}</td>
          </tr>
        ))}
      </tbody>
    </table>
    {problems.length > SHOWN && (
      <p className="text-sm text-muted">
        The first <span>{SHOWN}</span> of <span>{(problems.length + unnamed).toLocaleString("en")}</span>. The
        file has <span>{unnamed === 0 ? "all" : `the first ${MAX_PROBLEMS.toLocaleString("en")}`}</span>.
      </p>
    )}
  </section>
);

function download(report: Report) {
  const address = URL.createObjectURL(new Blob([report.toCsv()], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = "import-report.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
