import { useEffect, useRef, useState, type FormEvent } from "react";
import { isLongerThan } from "#worker/platform/graphemes.ts";
import type { SentForm } from "#worker/platform/sent-form.ts";
import { forgetDraft, restoreDraft, saveDraft } from "./draft.ts";
import { TOKEN_FIELD, useRobotCheck } from "./robot-check.tsx";
import { useSend } from "./send.ts";

export type FormError = { field: string | null; message: string };

type State = { is: "idle" | "submitting" | "success" | "unconfirmed" | "failed" };

type PublicFormOptions = {
  /** Its name, unique on a page. */
  name: string;
  /** Characters that its fields may have, by field. */
  limits: Record<string, number>;
  /** What a browser without scripts sent, and was refused. */
  sent: SentForm | null;
  onSuccess?: (outcome: { isUnconfirmed: boolean }) => void;
};

/**
 * A public form in a browser with scripts: it sends once at a time, keeps what is typed until it is sent, and shows the
 * server's word beside the field, which gets the focus.
 */
export function usePublicForm({ name, limits, sent, onSuccess }: PublicFormOptions) {
  const form = useRef<HTMLFormElement>(null);
  const isSending = useRef(false);
  const [state, setState] = useState<State>({ is: sent ? "failed" : "idle" });
  const [error, setError] = useState<FormError | null>(sent?.error ?? null);
  const [isRestored, setIsRestored] = useState(false);
  /** A new round renders the fields anew, and empty. */
  const [round, setRound] = useState(0);
  const send = useSend();
  const robots = useRobotCheck();

  useEffect(() => {
    if (form.current && restoreDraft(name, form.current)) setIsRestored(true);
  }, [name]);

  useEffect(() => {
    const field = error?.field;
    const control = field ? form.current?.elements.namedItem(field) : null;
    if (control instanceof HTMLElement) control.focus();
  }, [error]);

  const clear = () => {
    forgetDraft(name);
    setIsRestored(false);
    setRound((last) => last + 1);
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
    if (!ok) return fail(errorOf(refused));
    clear();
    setState({ is: isUnconfirmed ? "unconfirmed" : "success" });
    onSuccess?.({ isUnconfirmed });
  };

  const onInput = (event: FormEvent<HTMLFormElement>) => {
    saveDraft(name, event.currentTarget);
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
    /** Begins the form anew. */
    clear,
    handlers: {
      onSubmit: (event: FormEvent<HTMLFormElement>) => void submit(event),
      onInput,
      onFocus: robots.begin,
    },
  };
}

const errorOf = ({ error, message }: { error?: { field: string; message: string }; message?: string }) => {
  if (error?.field === TOKEN_FIELD) return { field: null, message: error.message };
  return error ?? (message ? { field: null, message } : null);
};

/** The server says the same; this saves the way. */
function findTooLong(form: HTMLFormElement, limits: Record<string, number>): FormError | null {
  for (const [field, max] of Object.entries(limits)) {
    const value = new FormData(form).get(field);
    if (typeof value === "string" && isLongerThan(max, value.trim())) {
      return { field, message: `This has at most ${max} characters.` };
    }
  }
  return null;
}
