import { requireCapability, requireUser } from "#worker/access/capabilities.ts";
import { requireBoth } from "#worker/letters/commands.ts";
import { LetterPreviewInput, type LetterPreview } from "#worker/letters/contract.ts";
import { readLetterRow } from "#worker/letters/queries.ts";
import { renderUncounted, UNSUBSCRIBE_SLOT } from "#worker/letters/render.ts";
import { copyOf, type Mail, type MailBody } from "#worker/mail/message.ts";
import { mailDestinationOf } from "#worker/mail/providers.ts";
import { sendMail } from "#worker/mail/transports.ts";
import type { Context } from "#worker/platform/context.ts";
import { describeError } from "#worker/platform/log.ts";
import { parseInput } from "#worker/platform/input.ts";
import { enforceLimits } from "#worker/platform/rate.ts";
import type { TestMailResult } from "#worker/settings/contract.ts";

/** An hour. */
const MOST = 30;

/** Belongs to nobody, so that its links unsubscribe nobody. */
const NOBODY = "test";

/**
 * The mail that a letter with these words makes, as one subscriber would get it.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function previewLetter(ctx: Context, input: LetterPreviewInput): Promise<LetterPreview> {
  requireCapability("audience", ctx);
  const { mail } = await renderUncounted(ctx, parseInput(LetterPreviewInput, input));
  const { html, text } = copyFor(ctx, mail, "reader@example.com");
  return { html, text, bytes: bytesOf(html) };
}

/**
 * Sends a letter, with these words in place of those that are saved where they are given, to the person who asks: past
 * the outbox, and to nobody else. Says what the mail server answered; a refusal is a result too.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid`, also for a letter without subject or content; `too_many`
 */
export async function sendTest(
  ctx: Context,
  id: number,
  input: Partial<LetterPreviewInput> = {},
): Promise<TestMailResult> {
  requireCapability("audience", ctx);
  const { email: to, id: userId } = requireUser(ctx);
  const saved = await readLetterRow(ctx, id);
  const letter = { ...saved, ...parseInput(LetterPreviewInput.partial(), input) };
  requireBoth(letter);
  await enforceLimits(ctx, [{ subject: `test-letter:user:${userId}`, most: MOST }]);
  const { mail } = await renderUncounted(ctx, letter);
  const copy = copyFor(ctx, mail, to);
  try {
    const answer = await sendMail(ctx, { ...copy, subject: `[Test] ${copy.subject}` });
    return { to, isAccepted: true, answer: answer || answerOf(ctx) };
  } catch (error) {
    return { to, isAccepted: false, answer: describeError(error) };
  }
}

/** Where no mail server is set there is nobody to answer. */
const answerOf = (ctx: Context) =>
  mailDestinationOf(ctx) === "console"
    ? "No mail server is set, so it was printed on the console."
    : "No mail server is set, so nothing was sent.";

const copyFor = (ctx: Context, mail: MailBody, to: string): Mail =>
  copyOf(ctx, mail, { to, values: { [UNSUBSCRIBE_SLOT]: NOBODY } });

export const bytesOf = (text: string) => new TextEncoder().encode(text).length;
