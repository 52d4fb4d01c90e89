import type { LetterWay, MailDestination, MailWay } from "#worker/mail/contract.ts";
import { printLetters } from "#worker/mail/console.ts";
import type { Outcome, Provider } from "#worker/mail/session.ts";
import type { Config, Context } from "#worker/platform/context.ts";
import { letterWayOf, mailWayOf } from "#worker/mail/ways.ts";

/** How an email other than a letter leaves (ways.ts). */
export const mailWayHere = ({ config, email }: Here): MailWay =>
  mailWayOf({ config, hasEmail: email !== undefined });

type Here = Pick<Context, "config" | "email">;

export function mailDestinationOf(ctx: Here): MailDestination {
  const way = mailWayHere(ctx);
  return way === "console" || way === "database" ? way : "mailbox";
}

/** The provider of letters; null if they cannot be sent. */
export function letterProvider(ctx: Pick<Context, "config">): Provider | null {
  const way = letterWayOf(ctx);
  const open = openers[way];
  return (
    open && {
      isIdempotent: way === "resend",
      sessions: sessions[way],
      fewMails: fewMails[way],
      open: () => open(ctx.config),
    }
  );
}

/** Concurrent sessions per provider. Resend takes a hundred emails per request, and few requests per second. */
const sessions: Record<LetterWay, number> = { resend: 1, smtp: 4, console: 1, none: 0 };

/** By SMTP the connection takes most of it. */
const fewMails: Record<LetterWay, number> = { resend: 20, smtp: 1, console: 20, none: 0 };

type Open = (config: Config) => ReturnType<Provider["open"]>;

const openers: Record<LetterWay, Open | null> = {
  // Imported on demand: most isolates send no letter.
  async resend({ resend }) {
    const { openResend } = await import("#worker/mail/resend.ts");
    return openResend(resend!);
  },
  async smtp({ smtpUrl, siteUrl }) {
    const [{ connectSmtp }, { openSmtpSession }] = await Promise.all([
      import("#worker/mail/smtp.ts"),
      import("#worker/mail/smtp-session.ts"),
    ]);
    return openSmtpSession(() => connectSmtp(smtpUrl!, new URL(siteUrl).hostname));
  },
  console: () =>
    Promise.resolve({
      send: (mails) => {
        printLetters(mails);
        return Promise.resolve(
          mails.map((): Outcome => ({ state: "sent", answer: "Printed in the console." })),
        );
      },
      close: () => undefined,
    }),
  none: null,
};
