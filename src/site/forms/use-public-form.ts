import { useEffect, useRef, useState, type FormEvent } from "react";
import { flushSync } from "react-dom";
import { isLongerThan } from "#worker/platform/text/graphemes.ts";
import type { SentForm } from "#worker/platform/http/sent-form.ts";
import { completeLink } from "#worker/platform/text/typed-link.ts";
import { errorOf, fieldsOf, type FieldErrors } from "./check.ts";
import { forgetDraft, restoreDraft, saveDraft } from "./draft.ts";
import { useRobotCheck } from "./robot-check.tsx";
import { useSend, withoutBubbles } from "./send.ts";

/** The errors of a form's fields, or of the form as a whole. */
type Failure = { errors: FieldErrors; message: string | null };

const NO_FAILURE: Failure = { errors: {}, message: null };

type State = { is: "idle" | "submitting" | "success" | "unconfirmed" | "failed" };

type PublicFormOptions = {
  /** The name under which typed values are saved. */
  draft: string;
  /** Maximum characters by field. */
  limits: Record<string, number>;
  /** A refused form of a browser without scripts. */
  sent: SentForm | null;
  /** Fields whose values stay after a success. */
  keeps?: string[] | undefined;
  onSuccess?: (outcome: { isUnconfirmed: boolean }) => void;
};

/**
 * A public form in a browser with scripts: it sends one request at a time, saves typed values until sent, and shows the
 * server's message at the field, which gets the focus.
 */
export function usePublicForm({ draft, limits, sent, keeps = [], onSuccess }: PublicFormOptions) {
  const form = useRef<HTMLFormElement>(null);
  const isSending = useRef(false);
  const [state, setState] = useState<State>({ is: sent ? "failed" : "idle" });
  const [{ errors, message }, setFailure] = useState<Failure>(sent ?? NO_FAILURE);
  const [isRestored, setIsRestored] = useState(false);
  /** Incremented to render the fields again, empty. */
  const [round, setRound] = useState(0);
  /** Initial values of the fields. */
  const [values, setValues] = useState<Record<string, string>>(sent?.values ?? {});
  // If the browser posts the form itself, the server redisplays a refused one.
  const send = useSend(() => forgetDraft(draft));
  const robots = useRobotCheck();

  useEffect(() => {
    withoutBubbles(form.current);
    if (form.current && restoreDraft(draft, form.current)) setIsRestored(true);
  }, [draft]);

  /** Drops the focus, since the fields are replaced. */
  const clear = (kept: Record<string, string> = {}) => {
    forgetDraft(draft);
    flushSync(() => {
      setValues(kept);
      setFailure(NO_FAILURE);
      setIsRestored(false);
      setRound((last) => last + 1);
    });
  };

  const fail = (failure: Failure) => {
    flushSync(() => {
      setFailure(failure);
      setState({ is: "failed" });
    });
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const target = event.currentTarget;
    // The second press of a double press may come after the answer, when the fields are empty again.
    if (isSending.current || isSent(state)) return;
    completeLinks(target);
    const found = findErrors(target, limits);
    if (hasAny(found)) return fail({ errors: found, message: null });
    isSending.current = true;
    setState({ is: "submitting" });
    setFailure(NO_FAILURE);
    await robots.settled();
    const { ok, isUnconfirmed = false, ...refused } = await send(target);
    isSending.current = false;
    void robots.reset();
    if (!ok) return fail(failureOf(target, refused));
    const hadFocus = target.matches(":focus-within");
    clear(Object.fromEntries(keeps.map((field) => [field, valueOf(target, field)])));
    // The result is shown beside the button.
    if (hadFocus) target.querySelector<HTMLElement>("[type=submit]")?.focus();
    setState({ is: isUnconfirmed ? "unconfirmed" : "success" });
    onSuccess?.({ isUnconfirmed });
  };

  const onInput = (event: FormEvent<HTMLFormElement>) => {
    saveDraft(draft, event.currentTarget);
    const { name: field } = event.target as HTMLInputElement;
    if (errors[field]) setFailure({ errors: { ...errors, [field]: "" }, message });
    if (state.is !== "submitting") setState({ is: "idle" });
  };

  return {
    form,
    round,
    state: state.is,
    errors,
    /** The message beside the button, unless a field has one. */
    failure: state.is === "failed" && !hasAny(errors) ? { message } : null,
    robots,
    isRestored,
    values,
    /** Clears the form and focuses its first field. */
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

/** Visible fields. */
const FIELD = ":is(input, select, textarea):not([type=hidden], [tabindex='-1'])";

const valueOf = (form: HTMLFormElement, field: string) => {
  const value = new FormData(form).get(field);
  return typeof value === "string" ? value : "";
};

type Refused = { errors?: FieldErrors; message?: string };

/** The error of a hidden field, such as the robot check's token, becomes the form's own message. */
function failureOf(form: HTMLFormElement, { errors = {}, message = "" }: Refused): Failure {
  const isSeen = (field: string) =>
    form.querySelector(`[name="${CSS.escape(field)}"]:not([type=hidden])`) !== null;
  const seen = Object.entries(errors).filter(([field]) => isSeen(field));
  if (seen.length > 0) return { errors: Object.fromEntries(seen), message: null };
  return { errors: {}, message: message || (Object.values(errors)[0] ?? null) };
}

/** Until something is typed. */
const isSent = (state: State) => state.is === "success" || state.is === "unconfirmed";

const hasAny = (errors: FieldErrors) => Object.values(errors).some(Boolean);

/** Adds a scheme, without which a browser rejects an address. */
function completeLinks(form: HTMLFormElement) {
  for (const field of form.querySelectorAll<HTMLInputElement>("[type=url]"))
    field.value = completeLink(field.value);
}

/** The server finds the same errors; this saves a request. */
function findErrors(form: HTMLFormElement, limits: Record<string, number>) {
  const errors: FieldErrors = {};
  for (const control of fieldsOf(form)) {
    const limit = limits[control.name];
    const error = errorOf(control) ?? (limit === undefined ? null : findTooLong(control.value, limit));
    if (error) errors[control.name] = error;
  }
  return errors;
}

const findTooLong = (value: string, limit: number) =>
  isLongerThan(limit, value.trim()) ? `Use at most ${limit} characters.` : null;
