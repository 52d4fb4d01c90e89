import type { MailDestination } from "#worker/mail/contract.ts";
import { mailOf, type Mail } from "#worker/mail/message.ts";
import type { Context } from "#worker/platform/context.ts";
import { readBody, type Deliver } from "#worker/platform/outbox.ts";

const OUTBOX = "outbox";

/** Hands a mail on; throwing means that it is tried again. */
type Transport = (ctx: Context, mail: Mail) => Promise<void>;

const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\]|.+\.localhost)$/;

/** A deployed site prints no mail: its log is read by others than the mail is for. */
export function mailDestinationOf({
  config: { mailTransport, siteUrl },
}: Pick<Context, "config">): MailDestination {
  if (mailTransport !== OUTBOX) return "mailbox";
  return LOCAL.test(new URL(siteUrl).hostname) ? "console" : "database";
}

/** The outbox transport: the row in D1 is the mail, read in the admin area; nothing leaves the machine. */
const keepInOutbox: Transport = async (ctx, { to, subject, link }) => {
  if (mailDestinationOf(ctx) !== "console") return;
  console.log(`[mail] to=${to} subject=${JSON.stringify(subject)} link=${link}`);
};

const transports: Record<string, Transport> = { [OUTBOX]: keepInOutbox };

export const deliverMail: Deliver = async (ctx, payload, row) => {
  const transport = transports[ctx.config.mailTransport];
  if (!transport) {
    const known = Object.keys(transports).join(", ");
    throw new Error(`MAIL_TRANSPORT "${ctx.config.mailTransport}" is not one of ${known}.`);
  }
  await transport(ctx, mailOf(payload, await readBody(ctx, row)));
};
