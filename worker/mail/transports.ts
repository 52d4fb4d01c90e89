import type { MailDestination } from "#worker/mail/contract.ts";
import { mailOf, type Mail } from "#worker/mail/message.ts";
import type { Outcome } from "#worker/mail/session.ts";
import type { Context } from "#worker/platform/context.ts";
import { isLocal } from "#worker/platform/local.ts";
import { PermanentError, readBody, type Deliver } from "#worker/platform/outbox.ts";

/** Hands a mail on and returns what the server answered; throwing means that it is tried again. */
type Transport = (ctx: Context, mail: Mail) => Promise<string>;

/** A deployed site prints no mail: its log is read by others than the mail is for. */
export function mailDestinationOf({
  config: { smtpUrl, siteUrl },
}: Pick<Context, "config">): MailDestination {
  if (smtpUrl !== undefined) return "mailbox";
  return isLocal(siteUrl) ? "console" : "database";
}

/** Without a mail server: the row in D1 is the mail, read in the admin area; nothing leaves the machine. */
const keepInOutbox: Transport = async (ctx, { to, subject, link }) => {
  if (mailDestinationOf(ctx) === "console") {
    console.log(`[mail] to=${to} subject=${JSON.stringify(subject)} link=${link}`);
  }
  return "";
};

const sendBySmtp: Transport = async ({ config }, mail) => {
  // Read when a mail is to leave: most isolates send none.
  const { connectSmtp } = await import("#worker/mail/smtp.ts");
  const line = await connectSmtp(config.smtpUrl!, new URL(config.siteUrl).hostname);
  try {
    const { outcome } = await line.handOver(mail);
    return answerOf(outcome);
  } finally {
    line.close();
  }
};

/** @throws unless the mail was taken; a `PermanentError` where it never will be */
function answerOf(outcome: Outcome) {
  if (outcome.state === "untried") throw new Error("The mail was not handed over.");
  if (outcome.state === "sent") return outcome.answer;
  throw outcome.state === "failed" ? new PermanentError(outcome.answer) : new Error(outcome.answer);
}

/** Hands a mail to the configured transport, now. */
export const sendMail: Transport = (ctx, mail) =>
  (ctx.config.smtpUrl === undefined ? keepInOutbox : sendBySmtp)(ctx, mail);

export const deliverMail: Deliver = async (ctx, payload, row) => {
  await sendMail(ctx, mailOf(payload, await readBody(ctx, row)));
};
