import { Check } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { useFetcher } from "react-router";
import { api, ensureOk } from "#site/api.ts";
import { Link } from "#site/document/link.tsx";
import { Button } from "#site/ui/button.tsx";
import { Checkbox } from "#site/ui/controls.tsx";
import type { Desk, DirectoryKey, ExampleStep, Tick } from "#worker/desk/contract.ts";
import { copyText } from "../shell/copy.ts";
import { ActionButton } from "../form/form.tsx";
import { act } from "../form/submit.ts";
import { directories } from "./directories.ts";

type Steps = NonNullable<Desk["firstSteps"]>;

export const TICK = "tick";

/** The body of the `clientAction`: sets or removes a tick. */
export function saveTick(form: FormData) {
  const param = { name: String(form.get("name")) as Tick["name"] };
  const isTicked = form.get("isTicked") === "yes";
  return act(form, async () => {
    const route = api.desk.ticks[":name"];
    await ensureOk(isTicked ? route.$put({ param }) : route.$delete({ param }));
    if (param.name !== "dismissed") return "Saved";
    return isTicked
      ? "Bring the first steps back under Settings ▸ General"
      : "The first steps are back above the articles";
  });
}

/** Restores the dismissed first steps. */
export const DismissedSteps = () => (
  <section aria-labelledby="first-steps" className="grid gap-3 border-t border-rule py-8">
    <h2 id="first-steps" className="text-base font-semibold">
      First steps
    </h2>
    <p className="max-w-xl text-muted">
      You dismissed them. Until all of them are done, you can show them above the articles again.
    </p>
    <ActionButton intent={TICK} values={{ name: "dismissed", isTicked: "no" }}>
      Show the first steps again
    </ActionButton>
  </section>
);

/** The steps that a new site needs. Reflects the current state, and disappears once all are done. */
export function FirstSteps({ steps }: { steps: Steps | null }) {
  useFocusWhenGone(steps === null);
  return steps && <StepList steps={steps} />;
}

/** Moves the focus, since the last tick's element disappears. */
function useFocusWhenGone(isGone: boolean) {
  const wasThere = useRef(false);
  useEffect(() => {
    if (isGone && wasThere.current && document.activeElement === document.body)
      document.querySelector("main")?.focus();
    wasThere.current = !isGone;
  }, [isGone]);
}

function StepList({
  steps: { name, artwork, episode, mail, directories: ticked, examples, feedUrl },
}: {
  steps: Steps;
}) {
  const dismissal = useFetcher();
  const done = [name, artwork, episode, mail, ticked.length === directories.length];
  const stateOf = (step: ExampleStep, isDone: boolean): StepState => {
    if (isDone) return "done";
    return examples.includes(step) ? "example" : "open";
  };
  return (
    <section
      aria-labelledby="first-steps"
      className="mb-8 border-l-4 border-accent bg-raised px-4 py-4 sm:px-6"
    >
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 id="first-steps" className="text-lg font-semibold">
          First steps
        </h2>
        <p className="text-sm text-muted">
          {progressOf({ done: done.filter(Boolean).length, examples: examples.length, all: done.length })}
        </p>
      </header>
      <ol className="mt-3 grid max-w-3xl gap-2">
        <Step state={stateOf("name", name)} to="/admin/settings/general" title="Give the site your name">
          Visitors see it at the top of every page, and search engines beside every link.
        </Step>
        <Step
          state={stateOf("artwork", artwork)}
          to="/admin/podcast/show"
          title="Upload the podcast’s artwork"
        >
          A square of 1400 to 3000 px. Directories don’t accept a podcast without it.
        </Step>
        <Step state={stateOf("episode", episode)} to="/admin/podcast/new" title="Publish the first episode">
          A one-minute trailer is enough for the directories.
        </Step>
        <Step
          state={mail ? "done" : "open"}
          to="/admin/settings/email"
          title="Choose the sender of your emails"
        >
          Set the address your emails come from. Then send yourself a test.
        </Step>
        <Step
          state={ticked.length === directories.length ? "done" : "open"}
          title="Submit the feed to the directories"
        >
          Give each directory this address once:
          <FeedAddress address={feedUrl} />
          <ul className="mt-2 grid gap-x-8 gap-y-1 sm:grid-cols-2">
            {directories.map(({ key, label, url }) => (
              <Directory key={key} directory={key} label={label} url={url} isTicked={ticked.includes(key)} />
            ))}
          </ul>
        </Step>
      </ol>
      <Button
        size="sm"
        className="mt-4"
        busy={dismissal.state !== "idle"}
        onClick={() => void dismissal.submit(tickOf("dismissed", true), toList)}
      >
        Dismiss the first steps
      </Button>
    </section>
  );
}

const toList = { method: "post", action: "/admin/articles?index" } as const;

const tickOf = (name: Tick["name"], isTicked: boolean) => ({
  intent: TICK,
  name,
  isTicked: isTicked ? "yes" : "no",
});

type Progress = Record<"done" | "examples" | "all", number>;

/** "0 of 5 done", or with the demo loaded "3 of 5 in place, 3 from the demo". */
const progressOf = ({ done, examples, all }: Progress) =>
  examples === 0
    ? `${done} of ${all} done`
    : `${done + examples} of ${all} in place, ${examples} from the demo`;

/** example: done with the demo's content. */
type StepState = "done" | "example" | "open";

const inWords: Record<StepState, string> = {
  done: ": done",
  example: ": the demo’s for now",
  open: ": to do",
};

const marks: Record<StepState, string> = {
  done: "border-accent bg-accent text-on-accent",
  example: "border-accent text-accent",
  open: "border-edge",
};

type StepProps = { state: StepState; title: string; to?: string; children: ReactNode };

const Step = ({ state, title, to, children }: StepProps) => (
  <li className="grid grid-cols-[1.25rem_1fr] gap-3">
    <span className={`mt-0.5 grid size-5 place-items-center rounded-full border ${marks[state]}`}>
      {state !== "open" && <Check aria-hidden size={14} />}
    </span>
    <div className="min-w-0">
      <p className={state === "done" ? "text-muted" : "font-medium"}>
        {to && state !== "done" ? (
          <Link to={to} className="link">
            {title}
          </Link>
        ) : (
          <span>{title}</span>
        )}
        <span className={state === "example" ? "font-normal text-muted" : "sr-only"}>{inWords[state]}</span>
      </p>
      {state !== "done" && <div className="text-sm text-muted">{children}</div>}
    </div>
  </li>
);

type DirectoryProps = { directory: DirectoryKey; label: string; url: string; isTicked: boolean };

function Directory({ directory, label, url, isTicked }: DirectoryProps) {
  const fetcher = useFetcher();
  const sent = fetcher.formData?.get("isTicked");
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4">
      <a href={url} target="_blank" rel="noopener" className="link inline-flex min-h-8 items-center">
        <span>{label}</span>
        <span className="sr-only"> (opens in a new tab)</span>
      </a>
      <Checkbox
        label={
          <span className="text-sm">
            Submitted<span className="sr-only">{` to ${label}`}</span>
          </span>
        }
        checked={sent ? sent === "yes" : isTicked}
        onChange={(event) => void fetcher.submit(tickOf(directory, event.currentTarget.checked), toList)}
      />
    </li>
  );
}

const FeedAddress = ({ address }: { address: string }) => (
  <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
    <code translate="no" className="wrap-anywhere text-ink">
      {address}
    </code>
    <Button size="sm" onClick={() => void copyText(address, "Feed address copied", "address")}>
      Copy
    </Button>
  </p>
);
