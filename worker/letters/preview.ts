import { requireCapability } from "#worker/access/capabilities.ts";
import { LetterPreviewInput, type LetterPreview } from "#worker/letters/contract.ts";
import { ANSWER_SLOT } from "#worker/letters/question-part.ts";
import { renderUncounted, UNSUBSCRIBE_SLOT } from "#worker/letters/render.ts";
import { copyOf, type Mail, type MailBody } from "#worker/mail/message.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";

/** A token of no subscriber, so that its links unsubscribe no one, and count no answer. */
const TEST_TOKEN = "test";

/**
 * Renders the email of a letter with these words.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function previewLetter(ctx: Context, input: LetterPreviewInput): Promise<LetterPreview> {
  requireCapability("audience", ctx);
  const { mail } = await renderUncounted(ctx, parseInput(LetterPreviewInput, input));
  const { html, text } = copyForNobody(ctx, mail, "reader@example.com");
  return { html, text, bytes: bytesOf(html) };
}

/** A copy of a letter's email for a person who is not its subscriber. */
export const copyForNobody = (ctx: Context, mail: MailBody, to: string): Mail =>
  copyOf(ctx, mail, { to, values: { [UNSUBSCRIBE_SLOT]: TEST_TOKEN, [ANSWER_SLOT]: TEST_TOKEN } });

export const bytesOf = (text: string) => new TextEncoder().encode(text).length;
