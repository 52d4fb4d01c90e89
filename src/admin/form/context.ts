import { createContext, use } from "react";
import type { FormErrors } from "./result.ts";

type FormState = {
  intent: string;
  errors: FormErrors | null;
  /** Files that are still on their way, by the name of their field. */
  uploads: ReadonlySet<string>;
  setUploading: (field: string, isUploading: boolean) => void;
  /** For what changes a form without an event of its own: a removed row, a value filled in by a button. */
  markChanged: () => void;
};

export const FormContext = createContext<FormState>({
  intent: "",
  errors: null,
  uploads: new Set(),
  setUploading: () => {},
  markChanged: () => {},
});

export const useFormState = () => use(FormContext);

/** What is wrong with the field of that name. */
export const useFieldError = (name: string) => useFormState().errors?.fields[name];
