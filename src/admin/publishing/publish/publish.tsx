import { useEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import { useNavigation } from "react-router";
import type { z } from "zod";
import { Button } from "#site/ui/button.tsx";
import { useHydrated } from "#site/ui/use-hydrated.ts";
import { useFormState } from "../../form/context.ts";
import { dateTime, readForm, type FormSpec } from "../../form/read.ts";
import { DECISION, type Decision, type Problem, type Refusal } from "./decision.ts";
import { PublishDialog, type Check, type Dates } from "./dialog.tsx";

export type Publishing = {
  /** Such as "episode". */
  noun: string;
  /** How the form is parsed: its errors are shown before the confirmation. */
  spec: FormSpec<z.ZodType>;
  /** Finds what is missing in an item that is about to be published. */
  check: (form: FormData) => Problem[] | Promise<Problem[]>;
  /** Shown before the problems. */
  intro: string;
  /** Absent if the form's own button publishes, or the item is already public. `quiet` if saving is the main action. */
  button?: "primary" | "quiet";
  /** Whether a letter can be made of the item. */
  mayMail: boolean;
  /** The server's last response, if it found unconfirmed problems. */
  refusal?: Refusal;
  /** Whether the form's own fields schedule it. */
  isScheduled: boolean;
};

type Props = Publishing & {
  form: RefObject<HTMLFormElement | null>;
  /** The submit button that saves. */
  children: ReactNode;
};

/** Publishes an item after a confirmation. Wraps the button that saves, which Enter presses. */
export function Publish({ form, children, button, refusal, ...publishing }: Props) {
  const submitter = useRef<HTMLButtonElement>(null);
  const [asked, setAsked] = useState<Dates | null>(null);
  const [read, setRead] = useState<Refusal>();
  const [decided, setDecided] = useState<Decision>();
  const { errors } = useFormState();
  const isHydrated = useHydrated();
  const isSent = useNavigation().formData?.has(DECISION) === true;
  const { check, noun, isScheduled, mayMail, intro } = publishing;
  const state = useCheck({ form, check, isAsked: asked !== null });

  const ask = () => {
    const { current } = form;
    if (!current) return;
    const data = new FormData(current);
    // The server refuses it, and the errors are shown beside their fields.
    if ("errors" in readForm(data, publishing.spec)) return current.requestSubmit();
    setAsked({
      publishedAt: dateTime(data, "publishedAt") ?? null,
      scheduledFor: dateTime(data, "scheduledFor") ?? null,
    });
  };
  const close = () => {
    setAsked(null);
    setRead(refusal);
  };
  const publish = (decision: Decision) => {
    const whole = asked ? decision : { ...refusal?.decision, ...decision };
    setDecided(whole);
    close();
    if (!submitter.current) return;
    submitter.current.value = JSON.stringify(whole);
    form.current?.requestSubmit(submitter.current);
  };
  const isRefused = asked === null && refusal !== undefined && read !== refusal;
  const before = isRefused ? refusal.decision : undefined;
  // Errors of dates, which the form itself may not show.
  const refused = decided && (errors?.fields["scheduledFor"] ?? errors?.fields["publishedAt"]);
  return (
    <>
      {button && (
        <Button tone={button} disabled={!isHydrated} busy={isSent} onClick={ask}>
          Publish…
        </Button>
      )}
      {children}
      {/* After the button that saves: Enter in a field presses the first submit button. */}
      <button ref={submitter} type="submit" name={DECISION} hidden>
        Publish
      </button>
      {refused && (
        <p role="alert" className="text-sm font-medium text-danger">
          {refused}
        </p>
      )}
      {(asked !== null || isRefused) && (
        <PublishDialog
          key={String(asked === null)}
          open
          onClose={close}
          noun={noun}
          intro={intro}
          check={isRefused ? { state: "checked", problems: refusal.problems } : state}
          dates={asked ?? undefined}
          isScheduled={before?.status ? before.status === "scheduled" : isScheduled}
          isMailed={before?.isMailed ?? false}
          mayMail={mayMail}
          onPublish={publish}
        />
      )}
    </>
  );
}

type CheckOptions = Pick<Props, "form" | "check"> & { isAsked: boolean };

/** Runs once no upload is in progress. */
function useCheck({ form, check, isAsked }: CheckOptions) {
  const { uploads } = useFormState();
  const [found, setFound] = useState<Check>({ state: "checking" });
  const latest = useRef(check);
  useEffect(() => {
    latest.current = check;
  });
  const isReady = isAsked && uploads.size === 0;
  useEffect(() => {
    if (!isReady || !form.current) return;
    let isOver = false;
    const show = (result: Check) => void (isOver || setFound(result));
    const look = async () =>
      show({ state: "checked", problems: await latest.current(new FormData(form.current!)) });
    look().catch((error: unknown) => {
      console.warn("publish check:", error);
      show({ state: "failed" });
    });
    return () => {
      isOver = true;
      setFound({ state: "checking" });
    };
  }, [isReady, form]);
  return isReady ? found : ({ state: "waiting" } satisfies Check);
}
