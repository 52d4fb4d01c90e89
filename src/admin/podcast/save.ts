import { ApiError } from "#site/api.ts";
import { SESSION_ENDED } from "../saving.ts";
import type { FieldErrors } from "./episode-input.ts";

/** A refusal, or a lost connection, as messages beside fields; anything else is a bug and goes on. */
export function errorsOf(error: unknown): FieldErrors {
  // fetch throws a TypeError when it reaches nobody.
  if (error instanceof TypeError) {
    return { form: "The connection was lost. Nothing was saved; what you typed is still here. Try again." };
  }
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 401) return { form: SESSION_ENDED };
  const [field = "form"] = (error.field ?? "form").split(".");
  return { [field]: error.message };
}

/** The first message of a refusal. */
export const firstOf = (errors: FieldErrors) => Object.values(errors)[0] ?? "Unknown error";
