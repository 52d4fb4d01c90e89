import { requireCapability, requireUser } from "#worker/access/capabilities.ts";
import { requireBoth } from "#worker/letters/check.ts";
import { LetterPreviewInput } from "#worker/letters/contract.ts";
import { copyForNobody } from "#worker/letters/preview.ts";
import { readLetterRow } from "#worker/letters/queries.ts";
import { renderUncounted } from "#worker/letters/render.ts";
import { mailDestinationOf } from "#worker/mail/providers.ts";
import { sendMail } from "#worker/mail/transports.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { describeError } from "#worker/platform/log.ts";
import { enforceLimits } from "#worker/platform/http/rate.ts";
import type { TestMailResult } from "#worker/settings/contract.ts";

/** Per hour. */
const MOST = 30;

/**
 * Sends a letter to the signed-in user only, bypassing the outbox; given words replace the saved ones. Returns the email
 * server's answer; a refusal is a result too.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid`, also for a letter without subject or content;
 * `too_many`
 */
export async function sendTest(
  ctx: Context,
  id: number,
  input: Partial<LetterPreviewInput> = {},
): Promise<TestMailResult> {
  requireCapability("audience", ctx);
  const words = parseInput(LetterPreviewInput.partial(), input);
  const { email: to, id: userId } = requireUser(ctx);
  const letter = { ...(await readLetterRow(ctx, id)), ...words };
  requireBoth(letter);
  await enforceLimits(ctx, [{ subject: `test-letter:user:${userId}`, most: MOST }]);
  const { mail } = await renderUncounted(ctx, letter);
  const copy = copyForNobody(ctx, mail, to);
  try {
    const answer = await sendMail(ctx, { ...copy, subject: `[Test] ${copy.subject}` });
    return { to, isAccepted: true, answer: answer || noServerMessage(ctx) };
  } catch (error) {
    return { to, isAccepted: false, answer: describeError(error) };
  }
}

const noServerMessage = (ctx: Context) =>
  mailDestinationOf(ctx) === "console"
    ? "No mail server is set, so it was printed in the console."
    : "No mail server is set, so nothing was sent.";
