import { useId } from "react";
import { cx } from "./cx.ts";
import { described, Notes, type Native } from "./field.tsx";

/** On or off. */
export function Switch({ label, help, error, className, id, ...input }: Omit<Native<"input">, "type">) {
  const own = useId();
  const control = id ?? own;
  return (
    <div className={cx("grid gap-1", className)}>
      <label className="flex items-center gap-3 text-base">
        <input
          type="checkbox"
          role="switch"
          {...input}
          id={control}
          {...described(control, help, error)}
          className="switch shrink-0"
        />
        <span>{label}</span>
      </label>
      <Notes id={control} help={help} error={error} />
    </div>
  );
}
