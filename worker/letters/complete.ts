import { blockingIn } from "#worker/letters/check.ts";
import { FILL_IN_BOTH, type LetterInput } from "#worker/letters/contract.ts";
import type { MailBody } from "#worker/mail/message.ts";
import { AppError } from "#worker/platform/errors.ts";

/**
 * Requires that a letter can be sent; `mail` is its rendered mail.
 * @throws `invalid`
 */
export function requireSendable(letter: LetterInput, mail: MailBody) {
  requireBoth(letter);
  const [finding] = blockingIn(letter, mail);
  if (finding) throw new AppError("invalid", finding.message, { field: "content" });
}

/**
 * Requires a subject and content.
 * @throws `invalid`
 */
export function requireBoth({ subject, content }: Pick<LetterInput, "subject" | "content">) {
  const field = subject.trim() === "" ? "subject" : content.trim() === "" ? "content" : undefined;
  if (field) throw new AppError("invalid", FILL_IN_BOTH, { field });
}
