import { useState, type ComponentProps } from "react";
import * as controls from "#site/ui/controls.tsx";
import * as field from "#site/ui/field.tsx";
import * as switches from "#site/ui/switch.tsx";
import { useFieldError } from "./context.ts";
import { useHydrated } from "#site/ui/use-hydrated.ts";

/** The controls of ui/, each with the error of its name. */

type Named<T> = Omit<T, "error"> & { name: string };

/** Text may be in either direction. */
export const TextField = (props: Named<ComponentProps<typeof field.TextField>>) => (
  <field.TextField
    dir={props.type === undefined ? "auto" : undefined}
    {...props}
    error={useFieldError(props.name)}
  />
);

export const TextArea = (props: Named<ComponentProps<typeof controls.TextArea>>) => (
  <controls.TextArea dir="auto" {...props} error={useFieldError(props.name)} />
);

export const SelectField = (props: Named<ComponentProps<typeof controls.SelectField>>) => (
  <controls.SelectField {...props} error={useFieldError(props.name)} />
);

/** The options of a select, each with its value and name. */
export const Options = ({ of }: { of: readonly (readonly [value: string | number, name: string])[] }) =>
  of.map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ));

/** The hidden field distinguishes an unchecked box from a missing one. */
export const Checkbox = (props: Named<ComponentProps<typeof controls.Checkbox>>) => (
  <>
    <input type="hidden" name={props.name} value="" />
    <controls.Checkbox {...props} error={useFieldError(props.name)} />
  </>
);

export const Switch = (props: Named<ComponentProps<typeof switches.Switch>>) => (
  <>
    <input type="hidden" name={props.name} value="" />
    <switches.Switch {...props} error={useFieldError(props.name)} />
  </>
);

type PasswordFieldProps = ComponentProps<typeof TextField> & { label: string; autoComplete: string };

export function PasswordField({ label, ...props }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="relative">
      <TextField required {...props} label={label} type={isShown ? "text" : "password"} />
      <button
        type="button"
        onClick={() => setShown(!isShown)}
        className="absolute -top-1 right-0 py-1 text-sm text-muted underline underline-offset-4 hover:text-ink"
      >
        <span>{isShown ? "Hide" : "Show"}</span>
        <span className="sr-only">{` ${label.toLowerCase()}`}</span>
      </button>
    </div>
  );
}

/** The user of a form's password: password managers store a password with its username. */
export const PasswordOwner = ({ email }: { email: string }) => (
  <input type="email" autoComplete="username" value={email} readOnly hidden />
);

/** The idempotency key of a new item: if the answer to its first save is lost, the next save updates the same item. */
export function DraftKey() {
  const [key] = useState(() => crypto.randomUUID());
  // The server would render a different key.
  const isHydrated = useHydrated();
  return <input type="hidden" name="draftKey" value={isHydrated ? key : ""} />;
}
