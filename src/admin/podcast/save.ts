import { Refusal } from "#site/api.ts";
import type { FieldErrors } from "./episode-input.ts";

/** A refusal as messages beside fields; anything else is a bug and goes on. */
export function errorsOf(error: unknown): FieldErrors {
  if (!(error instanceof Refusal)) throw error;
  if (error.status === 401) {
    return { form: "Your session has ended. Sign in in another tab, then save again: nothing here is lost." };
  }
  const [field = "form"] = (error.field ?? "form").split(".");
  return { [field]: error.message };
}

/** The catalogue's words for a refusal. */
export const refusalMessage = (errors: FieldErrors) =>
  `Error: ${Object.values(errors)[0] ?? "Unknown error"}`;
