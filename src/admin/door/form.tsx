import {
  useEffect,
  useRef,
  useState,
  type ChangeEventHandler,
  type ComponentProps,
  type ReactNode,
} from "react";
import { data, Form, useNavigation } from "react-router";
import type { z } from "zod";
import { ApiError } from "#site/api.ts";
import { Button } from "#site/ui/button.tsx";
import { TextField } from "#site/ui/field.tsx";
import { useSendOnce } from "#site/ui/send-once.ts";
import { useHydrated } from "#site/ui/use-hydrated.ts";

/** Why a form was not taken: messages that belong beside fields, and one for the form as a whole. */
export type Problem = { errors: Record<string, string>; failure?: string };

/** The first message of each field. */
export function problemOf({ issues }: z.ZodError): Problem {
  const errors: Record<string, string> = {};
  for (const { path, message } of issues) errors[path.join(".")] ??= message;
  return { errors };
}

/** Runs a call; a refusal becomes a problem of the form, anything unexpected is said in the given words. */
export async function problemsOf<T>(call: () => Promise<T>, unexpected: string): Promise<T | Problem> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ApiError && error.code !== "internal") {
      return error.field
        ? { errors: { [error.field]: error.message } }
        : { errors: {}, failure: error.message };
    }
    console.error(error);
    return { errors: {}, failure: unexpected };
  }
}

/** A message beside a field that the form does not have is said of the form as a whole. */
export function problemIn(fields: string[], { errors, failure }: Problem): Problem {
  const stray = Object.keys(errors).find((field) => !fields.includes(field));
  return { errors, failure: failure ?? (stray && errors[stray]) };
}

/**
 * What the form behind a mailed link answers that was refused. If it is the link that was, the page reads it again; after
 * anything else the form stays as it is, even without a connection.
 */
export const refusedByLink = (fields: string[], problem: Problem) =>
  data(problemIn(fields, problem), { status: "token" in problem.errors ? 200 : 422 });

type DoorFormProps = { problem?: Problem; className?: string; children: ReactNode };

/** Says what is wrong, and leads to the first field that is. What was typed stays. */
export function DoorForm({ problem, className = "mt-6 grid gap-5", children }: DoorFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (problem) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [problem]);
  const attempt = useCount(problem);
  return (
    <Form ref={form} method="post" noValidate onSubmit={useSendOnce()} className={className}>
      {problem?.failure && <Alert key={attempt}>{problem.failure}</Alert>}
      {children}
    </Form>
  );
}

/** Counts what it is given anew: under another key the same words are an alert once more. */
function useCount(value: unknown) {
  const [last, setLast] = useState({ value, count: 0 });
  if (last.value !== value) setLast({ value, count: last.count + 1 });
  return last.count;
}

const Alert = ({ children }: { children: ReactNode }) => (
  <p role="alert" className="border-l-4 border-danger pl-3 font-medium text-danger">
    {children}
  </p>
);

/** Cannot be pressed before the page's scripts run: without them the browser itself would send the form, to nowhere. */
export function Submit({ tone = "primary", ...button }: ComponentProps<typeof Button>) {
  const isHydrated = useHydrated();
  const { state, formData } = useNavigation();
  const isMine = !button.name || formData?.get(button.name) === button.value;
  return (
    <Button {...button} tone={tone} type="submit" disabled={!isHydrated} busy={state !== "idle" && isMine} />
  );
}

type PasswordProps = {
  name: string;
  label: string;
  autoComplete: string;
  help?: ReactNode;
  error?: string;
  required?: boolean;
  onChange?: ChangeEventHandler<HTMLInputElement>;
};

export function PasswordField({ label, ...field }: PasswordProps) {
  const [shown, setShown] = useState(false);
  return (
    <div className="relative">
      <TextField required {...field} label={label} type={shown ? "text" : "password"} />
      <button
        type="button"
        onClick={() => setShown(!shown)}
        className="absolute top-0 right-0 text-sm text-muted underline underline-offset-4 hover:text-ink"
      >
        {shown ? "Hide" : "Show"}
        <span className="sr-only"> {label.toLowerCase()}</span>
      </button>
    </div>
  );
}

/** Whose password a form is about: for password managers, which keep a password with its name. */
export const PasswordOwner = ({ email }: { email: string }) => (
  <input type="email" autoComplete="username" value={email} readOnly hidden />
);
