import { requireCapability, requireUser } from "#worker/access/capabilities.ts";
import { composeMail } from "#worker/mail/message.ts";
import { sendMail } from "#worker/mail/transports.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { describeError } from "#worker/platform/log.ts";
import { enforceLimits } from "#worker/platform/rate.ts";
import type { TestMailResult } from "#worker/settings/contract.ts";
import { readSender } from "#worker/settings/queries.ts";

/** An hour. */
const MOST = 20;

/**
 * Sends a mail to the person who asks, past the outbox, and says what the mail server answered. A refusal is a result too.
 * @throws `unauthenticated`, `forbidden`; `conflict` where no mail server is set; `too_many`
 */
export async function sendTestMail(ctx: Context): Promise<TestMailResult> {
  requireCapability("settings", ctx);
  const { email: to, id } = requireUser(ctx);
  if (ctx.config.smtpUrl === undefined) throw new AppError("conflict", "No mail server is set.");
  await enforceLimits(ctx, [{ subject: `test-mail:user:${id}`, most: MOST }]);
  const { siteName, sender } = await readSender(ctx);
  const mail = composeMail(ctx, {
    ...sender,
    to,
    subject: `Test mail of ${siteName}`,
    parts: [
      `This mail was sent from the settings of ${siteName}. It shows that its mails arrive.`,
      { label: "Open the site", href: ctx.config.siteUrl },
    ],
  });
  try {
    return { to, isAccepted: true, answer: await sendMail(ctx, mail) };
  } catch (error) {
    return { to, isAccepted: false, answer: describeError(error) };
  }
}
