import { createContext, use } from "react";
import type { FormErrors } from "./result.ts";

type FormState = {
  intent: string;
  errors: FormErrors | null;
  /** Fields with a running upload, by name. */
  uploads: ReadonlySet<string>;
  /** The form may be saved during uploads, without their files. */
  savesDuringUpload: boolean;
  setUploading: (field: string, isUploading: boolean) => void;
  /** For changes without an event: a removed row, a value filled in by a button. */
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

/** The row of a Repeated group that contains the fields: its index when the form was sent, absent if added since. */
export const RowContext = createContext<{ group: string; sentAs: number | undefined } | null>(null);

/** The error of the named field, in this row if it is in one. */
export function useFieldError(name: string) {
  const { errors } = useFormState();
  const row = use(RowContext);
  if (!row || !name.startsWith(`${row.group}.`)) return errors?.fields[name];
  return errors?.fields[`${row.group}.${row.sentAs}${name.slice(row.group.length)}`];
}
