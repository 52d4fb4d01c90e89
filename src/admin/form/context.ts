import { createContext, use } from "react";
import type { FormErrors } from "./result.ts";

type FormState = {
  intent: string;
  errors: FormErrors | null;
  /** Files that are still on their way, by the name of their field. */
  uploads: ReadonlySet<string>;
  /** The form may be saved meanwhile, without them. */
  savesDuringUpload: boolean;
  setUploading: (field: string, isUploading: boolean) => void;
  /** For what changes a form without an event of its own: a removed row, a value filled in by a button. */
  markChanged: () => void;
};

export const FormContext = createContext<FormState>({
  intent: "",
  errors: null,
  uploads: new Set(),
  savesDuringUpload: false,
  setUploading: () => {},
  markChanged: () => {},
});

export const useFormState = () => use(FormContext);

/** The row of a Repeated group in which fields stand: its place when the form was sent, absent if it was added since. */
export const RowContext = createContext<{ group: string; sentAs: number | undefined } | null>(null);

/** What is wrong with the field of that name, in this row if it stands in one. */
export function useFieldError(name: string) {
  const { errors } = useFormState();
  const row = use(RowContext);
  if (!row || !name.startsWith(`${row.group}.`)) return errors?.fields[name];
  return errors?.fields[`${row.group}.${row.sentAs}${name.slice(row.group.length)}`];
}
