import { useCallback, useState, type ComponentProps, type FormEvent, type ReactNode } from "react";
import { Checkbox, SelectField, TextArea } from "#site/ui/controls.tsx";
import { TextField } from "#site/ui/field.tsx";
import { countCharacters } from "#worker/platform/text/graphemes.ts";
import { useFieldState } from "./public-form.tsx";

type Named<P> = Omit<P, "error" | "defaultValue" | "required"> & {
  name: string;
  /** The message of a field that must be filled in and is not (`errorOf`). */
  required?: string;
};

const needed = (message: string | undefined) => ({
  required: message !== undefined,
  "data-missing": message,
});

/** The share of a limit from which the remaining characters are shown. */
const NEAR = 0.9;

/** The remaining characters, once the limit is near. `maxLength` would count UTF-16 units, and cut an emoji in two. */
function useCounter(limit: number | undefined, help: ReactNode) {
  const [left, setLeft] = useState<number | null>(null);
  const count = useCallback(
    (control: HTMLInputElement | HTMLTextAreaElement | null) => {
      if (limit === undefined || !control) return;
      const text = control.value;
      const characters = text.length < limit * NEAR ? 0 : countCharacters(text.trim());
      setLeft(characters < limit * NEAR ? null : limit - characters);
    },
    [limit],
  );
  const note = left !== null && <Left left={left} />;
  return {
    // Counted on mount too: a draft may be restored, or text typed before the scripts loaded.
    ref: count,
    onInput: (event: FormEvent<HTMLInputElement | HTMLTextAreaElement>) => count(event.currentTarget),
    help:
      help && note ? (
        <span>
          <span>{help}</span> {note}
        </span>
      ) : (
        note || help
      ),
  };
}

const Left = ({ left }: { left: number }) => (
  <span className={left < 0 ? "font-medium text-danger" : undefined}>
    {left < 0 ? `${-left} too many.` : `${left} ${left === 1 ? "character" : "characters"} left.`}
  </span>
);

type Limited<P> = Named<P> & { limit?: number };

/** The props of a text field with one or several lines. */
function useTextField<P extends { name: string; limit?: number; help?: ReactNode; required?: string }>({
  limit,
  help,
  required,
  ...props
}: P) {
  const { value, error, autoFocus } = useFieldState(props.name);
  const counter = useCounter(limit, help);
  return {
    dir: "auto",
    ...props,
    ...needed(required),
    ...counter,
    error,
    autoFocus,
    defaultValue: value,
  };
}

export const FormText = (props: Limited<ComponentProps<typeof TextField>>) => (
  <TextField {...useTextField(props)} />
);

export const FormLongText = (props: Limited<ComponentProps<typeof TextArea>>) => (
  <TextArea {...useTextField(props)} />
);

type FormSelectProps = Named<ComponentProps<typeof SelectField>> & {
  /** Labels by value, in this order. */
  options: Record<string, string>;
  /** The initial choice. */
  chosen?: string;
  /** Label of the empty option. */
  placeholder?: string;
};

export function FormSelect({ options, chosen, placeholder, required, ...props }: FormSelectProps) {
  const { value, error, autoFocus } = useFieldState(props.name);
  const known = value !== undefined && Object.hasOwn(options, value) ? value : (chosen ?? "");
  return (
    <SelectField {...props} {...needed(required)} {...{ error, autoFocus }} defaultValue={known}>
      {placeholder !== undefined && <option value="">{placeholder}</option>}
      {Object.entries(options).map(([option, label]) => (
        <option key={option} value={option} dir="auto">
          {label}
        </option>
      ))}
    </SelectField>
  );
}

export function FormCheckbox({ required, ...props }: Named<ComponentProps<typeof Checkbox>>) {
  const { value, error, autoFocus } = useFieldState(props.name);
  return (
    <Checkbox
      {...props}
      {...needed(required)}
      {...{ error, autoFocus }}
      defaultChecked={value !== undefined}
    />
  );
}
