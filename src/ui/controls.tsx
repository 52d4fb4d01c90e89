import { useId } from "react";
import { cx } from "./cx.ts";
import { controlClass, described, Field, Notes, type Native } from "./field.tsx";

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
          className="mt-1 size-4 shrink-0"
        />
        <span>{label}</span>
      </label>
      <Notes id={control} help={help} error={error} />
    </div>
  );
}
