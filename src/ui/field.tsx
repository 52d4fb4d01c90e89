import { useId, type ComponentProps, type ReactNode } from "react";
import { cx } from "./cx.ts";

type Labelling = {
  label: ReactNode;
  /** Shown below the control. */
  help?: ReactNode;
  /** The error; never replaces the typed value. */
  error?: string | null;
};

/** Props that connect a control to its label, help and error. */
export type ControlProps = {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
};

type FieldProps = Labelling & {
  id?: string;
  className?: string;
  children: (control: ControlProps) => ReactNode;
};

/** Label above, help and error below, wired together. The base of the text controls below, and of others. */
export function Field({ label, help, error, id, className, children }: FieldProps) {
  const own = useId();
  const control = id ?? own;
  return (
    <div className={cx("grid gap-1.5", className)}>
      <label htmlFor={control} className="text-sm font-medium">
        {label}
      </label>
      {children({ id: control, ...described(control, help, error) })}
      <Notes id={control} help={help} error={error} />
    </div>
  );
}

/** ARIA attributes that connect a control to its notes. */
export function described(id: string, help: ReactNode, error?: string | null) {
  const notes = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(" ");
  return { "aria-describedby": notes || undefined, "aria-invalid": error ? (true as const) : undefined };
}

export function Notes({ id, help, error }: { id: string; help?: ReactNode; error?: string | null }) {
  // Rich help may contain a list, which a <p> cannot.
  const Help = typeof help === "string" ? "p" : "div";
  return (
    <>
      {error && (
        <p id={`${id}-error`} className="text-sm font-medium text-danger">
          {error}
        </p>
      )}
      {help && (
        <Help id={`${id}-help`} className="text-sm text-muted">
          {help}
        </Help>
      )}
    </>
  );
}

export const controlClass =
  "w-full rounded-md border border-edge bg-raised px-3 text-base text-ink transition-colors hover:border-ink " +
  "disabled:cursor-default disabled:opacity-60 disabled:hover:border-edge aria-invalid:border-danger";

export type Native<T extends "input" | "textarea" | "select"> = Labelling & ComponentProps<T>;

export function TextField({ label, help, error, className, id, ...input }: Native<"input">) {
  return (
    <Field {...{ label, help, error, className, id }}>
      {(control) => <input type="text" {...input} {...control} className={cx(controlClass, "h-10")} />}
    </Field>
  );
}
