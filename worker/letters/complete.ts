import { FILL_IN_BOTH, type LetterInput } from "#worker/letters/contract.ts";
import { AppError } from "#worker/platform/errors.ts";

/**
 * Whether there is something to send.
 * @throws `invalid`
 */
export function requireBoth({ subject, content }: Pick<LetterInput, "subject" | "content">) {
  const field = subject.trim() === "" ? "subject" : content.trim() === "" ? "content" : undefined;
  if (field) throw new AppError("invalid", FILL_IN_BOTH, { field });
}
