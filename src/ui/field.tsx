import { useId, type ComponentProps, type ReactNode } from "react";
import { cx } from "./cx.ts";

type Labelling = {
  label: ReactNode;
  /** Stands under the control. */
  help?: ReactNode;
  /** What is wrong with the value; replaces nothing that was typed. */
  error?: string | null;
};

/** What a control needs in order to belong to its label, help and error. */
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

/** Label above, help and error below, wired together. The text controls below are built on it; so may any other be. */
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

function described(id: string, help: ReactNode, error?: string | null) {
  const notes = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(" ");
  return { "aria-describedby": notes || undefined, "aria-invalid": error ? (true as const) : undefined };
}

function Notes({ id, help, error }: { id: string; help?: ReactNode; error?: string | null }) {
  return (
    <>
      {error && (
        <p id={`${id}-error`} className="text-sm font-medium text-danger">
          {error}
        </p>
      )}
      {help && (
        <p id={`${id}-help`} className="text-sm text-muted">
          {help}
        </p>
      )}
    </>
  );
}

const controlClass =
  "w-full rounded-md border border-edge bg-raised px-3 text-base text-ink transition-colors hover:border-ink " +
  "disabled:cursor-default disabled:opacity-60 disabled:hover:border-edge aria-invalid:border-danger";

type Native<T extends "input" | "textarea" | "select"> = Labelling & ComponentProps<T>;

export function TextField({ label, help, error, className, id, ...input }: Native<"input">) {
  return (
    <Field {...{ label, help, error, className, id }}>
      {(control) => <input type="text" {...input} {...control} className={cx(controlClass, "h-10")} />}
    </Field>
  );
}

export function TextArea({ label, help, error, className, id, ...input }: Native<"textarea">) {
  return (
    <Field {...{ label, help, error, className, id }}>
      {(control) => <textarea rows={4} {...input} {...control} className={cx(controlClass, "py-2")} />}
    </Field>
  );
}

/** The options are its children. */
export function SelectField({ label, help, error, className, id, ...input }: Native<"select">) {
  return (
    <Field {...{ label, help, error, className, id }}>
      {(control) => <select {...input} {...control} className={cx(controlClass, "h-10")} />}
    </Field>
  );
}

export function Checkbox({ label, help, error, className, id, ...input }: Omit<Native<"input">, "type">) {
  const own = useId();
  const control = id ?? own;
  return (
    <div className={cx("grid gap-1", className)}>
      <label className="flex items-start gap-2.5 text-base leading-6">
        <input
          type="checkbox"
          {...input}
          id={control}
          {...described(control, help, error)}
          className="mt-0.5 size-4 shrink-0"
        />
        <span>{label}</span>
      </label>
      <Notes id={control} help={help} error={error} />
    </div>
  );
}
