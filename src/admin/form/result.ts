import { useState } from "react";
import { useActionData } from "react-router";

/** The errors of a submitted form. */
export type FormErrors = {
  /** Messages by field name. */
  fields: Record<string, string>;
  /** About the form as a whole. */
  message?: string;
  /** The item was saved elsewhere since the page was opened. */
  isConflict?: boolean;
  /** The item was deleted elsewhere. */
  isGone?: boolean;
};

/** A `clientAction`'s answer about one form of its page. */
export type FormResult = {
  /** The form's name on its page. */
  intent: string;
  /** Milliseconds UTC; distinguishes answers. */
  at: number;
  /** Null when the form was saved. */
  errors: FormErrors | null;
  /** The address of a newly saved item, to which its form moves. */
  address?: string;
  /** The saved version, for a form that stays open before the loader runs again, or if it fails. */
  updatedAt?: number;
};

/** The last answer to the form of that name, as long as no other form of the page was sent. */
export function useFormResult(intent: string) {
  const answer: unknown = useActionData();
  return isFormResult(answer) && answer.intent === intent ? answer : undefined;
}

/** The answer to the last save of the form, also after another form of the page was sent. */
export function useLastSave(result: FormResult | undefined) {
  const [lastSave, setLastSave] = useState<FormResult>();
  if (result?.errors === null && result.at !== lastSave?.at) setLastSave(result);
  return lastSave;
}

export const isFormResult = (answer: unknown): answer is FormResult =>
  typeof answer === "object" && answer !== null && "intent" in answer && "errors" in answer;
