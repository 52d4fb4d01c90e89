import { useEffect, useEffectEvent, useRef, useState, type RefObject } from "react";
import { useRevalidator } from "react-router";
import type { QueuedWork } from "../queued.ts";
import { sendUntilAnswered } from "../retry.ts";

/** What a step that takes time shows. */
export type Progress = {
  /** Names the bar. */
  label: string;
  /** 0 to 1; null if the total is unknown. */
  part: number | null;
  /** Beside the bar. */
  words: string;
  /** Announced by screen readers whenever it changes, so it changes rarely. */
  announced: string;
};

/** Why an input could not be read. `cause` is the thrown error. */
export type Refusal<Input> = { input: Input; error: string; cause: unknown };

/** Why a request is being retried; null if the last one succeeded. */
type Waiting = { waiting: string | null };

export type WizardState<Input, Plan, Report> =
  | { step: "choose"; refusal: Refusal<Input> | null }
  | ({ step: "read"; input: Input; progress: Progress } & Waiting)
  /** `reading` is set while more of it is read, or all of it again. */
  | { step: "plan"; plan: Plan; error: string | null; reading: (Waiting & { input: Input }) | null }
  | ({ step: "run"; plan: Plan; progress: Progress } & Waiting)
  | { step: "report"; plan: Plan; report: Report };

/** What the work of a step is given. */
export type Tools<Plan> = {
  /** Aborted when the owner cancels or leaves. */
  signal: AbortSignal;
  show: (progress: Progress) => void;
  /** Sends until there is an answer, and shows why it waits. */
  until: <T>(send: () => Promise<T>) => Promise<T>;
  /** Shows a plan before all of it is read. */
  showPlan: (change: (now: Plan | null) => Plan) => void;
  /** Called when the plan is discarded, to close the files that were opened for it. */
  onDiscard: (close: () => void) => void;
};

/** The work of a source: turns an input into a plan, and runs that into a report. */
export type SourceWork<Input, Plan, Choice, Report> = {
  work?: QueuedWork;
  /** What reading shows before it shows anything itself. */
  begin: Progress;
  /** Null if the plan that it showed last is complete. */
  read: (input: Input, tools: Tools<Plan>) => Promise<Plan | null>;
  /** A thrown error is shown beside the plan, to which the wizard returns. */
  run: (plan: Plan, choice: Choice, tools: Tools<Plan>) => Promise<Report>;
  /** What the plan shows if the run is cancelled before it returns. */
  cancelled?: string;
  wordsOf: (error: unknown) => string;
};

/**
 * The steps of moving in, which are the same for each source: choose → read → plan → run → report. Cancelling returns
 * from reading to the choice.
 */
export function useWizard<Input, Plan, Choice, Report>(
  { work, begin, read, run, cancelled = "", wordsOf }: SourceWork<Input, Plan, Choice, Report>,
  /** Read without a choice. */
  first?: Input,
) {
  type State = WizardState<Input, Plan, Report>;
  const [state, setState] = useState<State>(
    first === undefined ? { step: "choose", refusal: null } : readingOf(first, begin),
  );
  const control = useRef<AbortController>(null);
  const closing = useRef<(() => void)[]>([]);
  const { revalidate } = useRevalidator();
  const discard = () => discardOf(control, closing);

  const toolsOf = (input: Input | null): Tools<Plan> => {
    control.current?.abort();
    const { signal } = (control.current = new AbortController());
    const set = (change: (now: State) => State) => setState((now) => (signal.aborted ? now : change(now)));
    const onWaiting = (waiting: string | null) => set((now) => withWaiting(now, waiting));
    return {
      signal,
      show: (progress) =>
        set((now) =>
          (now.step === "read" || now.step === "run") && !isSame(now.progress, progress)
            ? { ...now, progress }
            : now,
        ),
      until: (send) => sendUntilAnswered(send, { signal, work, onWaiting }),
      showPlan: (change) =>
        set((now) => ({
          step: "plan",
          plan: change("plan" in now ? now.plan : null),
          error: null,
          reading: input === null ? null : { input, waiting: null },
        })),
      onDiscard: (close) => void (signal.aborted ? close() : closing.current.push(close)),
    };
  };

  const readInto = async (input: Input) => {
    const tools = toolsOf(input);
    const { signal } = tools;
    try {
      const plan = await read(input, tools);
      if (signal.aborted) return;
      if (plan === null) setState((now) => (now.step === "plan" ? { ...now, reading: null } : now));
      else setState({ step: "plan", plan, error: null, reading: null });
    } catch (cause) {
      if (signal.aborted) return;
      const error = wordsOf(cause);
      setState((now) =>
        now.step === "plan"
          ? { ...now, error, reading: null }
          : { step: "choose", refusal: { input, error, cause } },
      );
    }
  };

  const readFirst = useEffectEvent(() => {
    if (first !== undefined) void readInto(first);
  });
  useEffect(() => {
    const start = setTimeout(() => readFirst());
    return () => {
      clearTimeout(start);
      discardOf(control, closing);
    };
  }, []);

  /** Reads an input. `again`: the plan stays visible while it is read again, or further. */
  const readChosen = (input: Input, { again = false } = {}) => {
    if (!again) discard();
    setState((now) =>
      again && now.step === "plan"
        ? { ...now, error: null, reading: { input, waiting: null } }
        : readingOf(input, begin),
    );
    return readInto(input);
  };

  const runPlan = async (plan: Plan, choice: Choice) => {
    const tools = toolsOf(null);
    setState({ step: "run", plan, progress: begin, waiting: null });
    try {
      const report = await run(plan, choice, tools);
      setState({ step: "report", plan, report });
      void revalidate();
    } catch (error) {
      const words = tools.signal.aborted ? cancelled : wordsOf(error);
      setState({ step: "plan", plan, error: words, reading: null });
    }
  };

  const clear = () => {
    discard();
    setState({ step: "choose", refusal: null });
  };

  return {
    state,
    read: readChosen,
    run: runPlan,
    /** Ends a run, which returns a report until then. */
    cancel: () => control.current?.abort(),
    /** Stops reading; the plan shows what has been read. */
    stop() {
      control.current?.abort();
      setState((now) =>
        now.step === "plan" ? { ...now, reading: null } : { step: "choose", refusal: null },
      );
    },
    clear,
    changePlan: (change: (plan: Plan) => Plan) =>
      setState((now) => (now.step === "plan" ? { ...now, plan: change(now.plan) } : now)),
  };
}

const readingOf = <Input>(input: Input, progress: Progress) => ({
  step: "read" as const,
  input,
  progress,
  waiting: null,
});

/** Aborts the current work, and closes the files that it opened. */
function discardOf(control: RefObject<AbortController | null>, closing: RefObject<(() => void)[]>) {
  control.current?.abort();
  for (const close of closing.current.splice(0)) close();
}

function withWaiting<Input, Plan, Report>(
  now: WizardState<Input, Plan, Report>,
  waiting: string | null,
): WizardState<Input, Plan, Report> {
  if (now.step === "read" || now.step === "run") return { ...now, waiting };
  return now.step === "plan" && now.reading ? { ...now, reading: { ...now.reading, waiting } } : now;
}

/** Steps of less than a percent are not seen: they render nothing. */
const isSame = (before: Progress, now: Progress) =>
  before.words === now.words &&
  before.label === now.label &&
  Math.floor((before.part ?? 0) * 100) === Math.floor((now.part ?? 0) * 100);

/** "Reading the export: 40 %", announced each quarter. */
export const percentOf = (label: string, part: number): Progress => ({
  label,
  part,
  words: `${label}: ${Math.floor(part * 100)} %`,
  announced: `${label}: ${Math.floor(part * 4) * 25} %`,
});

/** "12 of 40 files read", announced each tenth. */
export function countOf(what: string, done: number, total: number): Progress {
  const part = total === 0 ? 0 : done / total;
  return {
    label: what,
    part,
    words: `${done.toLocaleString("en")} of ${total.toLocaleString("en")} ${what}`,
    announced: `${Math.floor(part * 10) * 10} % of the ${what}`,
  };
}
