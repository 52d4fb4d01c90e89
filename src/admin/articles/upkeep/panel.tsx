import { Link } from "#site/document/link.tsx";
import { Button } from "#site/ui/button.tsx";
import { counted } from "#site/ui/format.ts";
import { ProgressBar } from "#site/ui/progress.tsx";
import type { UpkeepItem } from "#worker/articles/contract.ts";
import { useUpkeep, type Task, type UpkeepState } from "./use-upkeep.ts";

const tasks: { task: Task; label: string; help: string }[] = [
  {
    task: "reading-time",
    label: "Recompute reading times",
    help: "Counts each article’s words again, at 200 words a minute.",
  },
  {
    task: "all",
    label: "Render again",
    help: "Builds each article’s page from its Markdown again, for example after a software update.",
  },
  {
    task: "check",
    label: "Find broken links and missing descriptions",
    help: "Tries every link in your articles, and lists pictures without a description. Changes nothing.",
  },
];

type Props = {
  /** The number of all articles. */
  total: number;
};

/** The tasks over all articles. Each may be run again at any time. */
export function UpkeepPanel({ total }: Props) {
  const { state, run, cancel } = useUpkeep();
  return (
    <section aria-labelledby="upkeep" className="mt-12 grid max-w-3xl gap-2">
      <h2 id="upkeep" className="text-lg font-semibold">
        All articles
      </h2>
      <ul className="border-b border-rule">
        {tasks.map(({ task, label, help }) => {
          const own = state?.task === task ? state : null;
          return (
            <li key={task} className="grid gap-3 border-t border-rule py-4">
              <div className="grid gap-x-6 gap-y-3 sm:grid-cols-[1fr_auto] sm:items-center">
                <div>
                  <h3 className="font-medium">{label}</h3>
                  <p id={`${task}-help`} className="text-sm text-muted">
                    {help}
                  </p>
                </div>
                {own?.isRunning ? (
                  <Button className="justify-self-start" aria-label={`Cancel: ${label}`} onClick={cancel}>
                    Cancel
                  </Button>
                ) : (
                  <Button
                    className="justify-self-start"
                    aria-label={`Run: ${label}`}
                    aria-describedby={`${task}-help`}
                    disabled={state?.isRunning}
                    onClick={() => void run(task)}
                  >
                    Run
                  </Button>
                )}
              </div>
              {own && <Outcome state={own} total={total} label={label} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

type OutcomeProps = { state: UpkeepState; total: number; label: string };

function Outcome({ state, total, label }: OutcomeProps) {
  const { isRunning, done, found, problem } = state;
  return (
    <div className="grid gap-3">
      {isRunning && (
        // An article may be created during the run.
        <ProgressBar value={total === 0 ? 1 : Math.min(1, done / total)} label={label} />
      )}
      {problem && (
        <p role="alert" className="text-sm font-medium text-danger">
          {problem}
        </p>
      )}
      <p role={isRunning ? undefined : "status"} className="text-sm tabular-nums">
        {isRunning
          ? `${done.toLocaleString("en")} of ${counted(Math.max(total, done), "article")}`
          : summaryOf(state)}
      </p>
      {found.length > 0 && <Findings items={found} />}
    </div>
  );
}

function summaryOf({ task, done, changed, found }: UpkeepState) {
  const looked = `${counted(done, "article")} checked`;
  if (task === "check") return `${looked}, ${found.length} to fix`;
  const failed = found.length > 0 ? `, ${found.length} failed` : "";
  return `${looked}, ${changed} changed${failed}`;
}

/** Articles listed by title; the others are only counted. */
const SHOWN = 200;

const Findings = ({ items }: { items: UpkeepItem[] }) => (
  <>
    <ul className="grid gap-3">
      {items.slice(0, SHOWN).map(({ id, title, findings }) => (
        <li key={id} className="grid gap-1 border-l-2 border-signal pl-3">
          <Link to={`/admin/articles/${id}`} className="link justify-self-start py-1 wrap-anywhere">
            {title}
          </Link>
          <ul className="grid gap-1 text-sm">
            {findings.map(({ message, where }, index) => (
              // The list never changes its order.
              <li key={index} className="wrap-anywhere">
                <span>{`${message} `}</span>
                {where && <span className="text-muted">{where}</span>}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
    {items.length > SHOWN && (
      <p className="text-sm text-muted">
        The first <span>{SHOWN}</span> of <span>{counted(items.length, "article")}</span>. Fix some, then run
        it again.
      </p>
    )}
  </>
);
