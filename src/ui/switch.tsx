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
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox exposes its own state.
          role="switch"
          {...input}
          id={control}
          {...described(control, help, error)}
          className={
            "h-6 w-10 shrink-0 cursor-pointer appearance-none rounded-full border border-edge bg-tint p-0.5 transition-colors " +
            "before:block before:size-4.5 before:rounded-full before:bg-edge before:transition-transform " +
            "checked:border-accent checked:bg-accent checked:before:translate-x-4 checked:before:bg-on-accent"
          }
        />
        <span>{label}</span>
      </label>
      <Notes id={control} help={help} error={error} />
    </div>
  );
}
