import { useEffect, useRef, useState, type FormEvent } from "react";
import { flushSync } from "react-dom";
import { isLongerThan } from "#worker/platform/graphemes.ts";
import type { SentForm } from "#worker/platform/sent-form.ts";
import { forgetDraft, restoreDraft, saveDraft } from "./draft.ts";
import { useRobotCheck } from "./robot-check.tsx";
import { useSend } from "./send.ts";

export type FormError = { field: string | null; message: string };

type State = { is: "idle" | "submitting" | "success" | "unconfirmed" | "failed" };

type PublicFormOptions = {
  /** Under which name what is typed is kept. */
  draft: string;
  /** Characters that its fields may have, by field. */
  limits: Record<string, number>;
  /** What a browser without scripts sent, and was refused. */
  sent: SentForm | null;
  /** Fields that are filled in again after a success. */
  keeps?: string[] | undefined;
  onSuccess?: (outcome: { isUnconfirmed: boolean }) => void;
};

/**
 * A public form in a browser with scripts: it sends once at a time, keeps what is typed until it is sent, and shows the
 * server's word beside the field, which gets the focus.
 */
export function usePublicForm({ draft, limits, sent, keeps = [], onSuccess }: PublicFormOptions) {
  const form = useRef<HTMLFormElement>(null);
  const isSending = useRef(false);
  const [state, setState] = useState<State>({ is: sent ? "failed" : "idle" });
  const [error, setError] = useState<FormError | null>(sent?.error ?? null);
  const [isRestored, setIsRestored] = useState(false);
  /** A new round renders the fields anew, and empty. */
  const [round, setRound] = useState(0);
  /** With which they are rendered. */
  const [values, setValues] = useState<Record<string, string>>(sent?.values ?? {});
  const send = useSend();
  const robots = useRobotCheck();

  useEffect(() => {
    if (form.current && restoreDraft(draft, form.current)) setIsRestored(true);
  }, [draft]);

  useEffect(() => {
    const field = error?.field;
    const control = field ? form.current?.elements.namedItem(field) : null;
    if (control instanceof HTMLElement) control.focus();
  }, [error]);

  /** Leaves no focus in a field: the fields are others then. */
  const clear = (kept: Record<string, string> = {}) => {
    forgetDraft(draft);
    flushSync(() => {
      setValues(kept);
      setIsRestored(false);
      setRound((last) => last + 1);
    });
  };

  const fail = (failure: FormError | null) => {
    setError(failure);
    setState({ is: "failed" });
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const target = event.currentTarget;
    if (isSending.current) return;
    const tooLong = findTooLong(target, limits);
    if (tooLong) return fail(tooLong);
    isSending.current = true;
    setState({ is: "submitting" });
    setError(null);
    await robots.settled();
    const { ok, isUnconfirmed = false, ...refused } = await send(target);
    isSending.current = false;
    void robots.reset();
    if (!ok) return fail(errorOf(target, refused));
    const hadFocus = target.matches(":focus-within");
    clear(Object.fromEntries(keeps.map((field) => [field, valueOf(target, field)])));
    // What comes of it is said beside the button.
    if (hadFocus) target.querySelector<HTMLElement>("[type=submit]")?.focus();
    setState({ is: isUnconfirmed ? "unconfirmed" : "success" });
    onSuccess?.({ isUnconfirmed });
  };

  const onInput = (event: FormEvent<HTMLFormElement>) => {
    saveDraft(draft, event.currentTarget);
    const { name: field } = event.target as HTMLInputElement;
    if (error?.field === field) setError(null);
    if (state.is !== "submitting") setState({ is: "idle" });
  };

  return {
    form,
    round,
    state: state.is,
    error,
    robots,
    isRestored,
    values,
    /** Begins the form anew, at its first field. */
    startAfresh() {
      clear();
      form.current?.querySelector<HTMLElement>(FIELD)?.focus();
    },
    handlers: {
      onSubmit: (event: FormEvent<HTMLFormElement>) => void submit(event),
      onInput,
      onFocus: robots.begin,
    },
  };
}

/** One that people see. */
const FIELD = ":is(input, select, textarea):not([type=hidden], [tabindex='-1'])";

const valueOf = (form: HTMLFormElement, field: string) => {
  const value = new FormData(form).get(field);
  return typeof value === "string" ? value : "";
};

type Refused = { error?: { field: string; message: string }; message?: string };

/** What is wrong with a field that nobody sees, such as the token of a check, is said of the form as a whole. */
function errorOf(form: HTMLFormElement, { error, message }: Refused): FormError | null {
  if (!error) return message ? { field: null, message } : null;
  const isSeen = form.querySelector(`[name="${CSS.escape(error.field)}"]:not([type=hidden])`) !== null;
  return { field: isSeen ? error.field : null, message: error.message };
}

/** The server says the same; this saves the way. */
function findTooLong(form: HTMLFormElement, limits: Record<string, number>): FormError | null {
  for (const [field, max] of Object.entries(limits)) {
    if (isLongerThan(max, valueOf(form, field).trim())) {
      return { field, message: `This has at most ${max} characters.` };
    }
  }
  return null;
}
