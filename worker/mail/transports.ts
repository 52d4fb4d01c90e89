import { printMail } from "#worker/mail/console.ts";
import type { MailWay } from "#worker/mail/contract.ts";
import { mailOf, type Mail } from "#worker/mail/message.ts";
import { mailWayHere } from "#worker/mail/providers.ts";
import type { Outcome } from "#worker/mail/session.ts";
import type { Context } from "#worker/platform/context.ts";
import { PermanentError, readBody, type Deliver } from "#worker/platform/work/outbox.ts";

/** Sends an email and returns the server's answer; an error means a retry. */
type Transport = (ctx: Context, mail: Mail) => Promise<string>;

// Imported on demand: most isolates send no mail.
const transports: Record<MailWay, Transport> = {
  async smtp({ config }, mail) {
    const { connectSmtp } = await import("#worker/mail/smtp.ts");
    const line = await connectSmtp(config.smtpUrl!, new URL(config.siteUrl).hostname);
    try {
      return ensureSent((await line.submit(mail)).outcome);
    } finally {
      line.close();
    }
  },
  async resend({ config }, mail) {
    const { openResend } = await import("#worker/mail/resend.ts");
    // The Message-ID is the same on every attempt, so that the email is not sent twice.
    const [outcome] = await openResend(config.resend!).send([mail], { key: mail.messageId });
    return ensureSent(outcome!);
  },
  async cloudflare({ email }, mail) {
    const { sendByCloudflare } = await import("#worker/mail/cloudflare.ts");
    return sendByCloudflare(email!, mail);
  },
  // Without a mail server the row in D1 is the email, read in the admin area; nothing leaves the machine.
  console: (_ctx, mail) => Promise.resolve(printMail(mail)).then(() => ""),
  database: () => Promise.resolve(""),
};

/**
 * The server's answer.
 * @throws unless the email was accepted; a `PermanentError` if it never will be
 */
function ensureSent(outcome: Outcome) {
  if (outcome.state === "untried") throw new Error("The email wasn’t submitted.");
  if (outcome.state === "sent") return outcome.answer;
  throw outcome.state === "failed" ? new PermanentError(outcome.answer) : new Error(outcome.answer);
}

/** Sends an email immediately, by the configured transport. */
export const sendMail: Transport = (ctx, mail) => transports[mailWayHere(ctx)](ctx, mail);

export const deliverMail: Deliver = async (ctx, payload, row) => {
  await sendMail(ctx, mailOf(payload, await readBody(ctx, row)));
};
