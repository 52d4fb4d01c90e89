import { useState } from "react";
import { useActionData } from "react-router";

/** What is wrong with a form that was sent. */
export type FormErrors = {
  /** Messages by the name of the field that each stands beside. */
  fields: Record<string, string>;
  /** About the form as a whole. */
  message?: string;
  /** What is edited was saved elsewhere since the page was opened. */
  isConflict?: boolean;
  /** What is edited was deleted elsewhere. */
  isGone?: boolean;
};

/** What a `clientAction` answers about one form of its page. */
export type FormResult = {
  /** The form's name on its page. */
  intent: string;
  /** Milliseconds UTC; tells one answer from the next. */
  at: number;
  /** Null when the form was saved. */
  errors: FormErrors | null;
  /** Where a new item that was saved is edited: its form goes on there. */
  address?: string;
  /** Of what was saved, for a form that goes on with it before the page is read again, or where it cannot be. */
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
