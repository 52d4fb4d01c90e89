import type { LetterWay, MailDestination, MailWay } from "#worker/mail/contract.ts";
import { printLetters } from "#worker/mail/console.ts";
import type { Outcome, Provider } from "#worker/mail/session.ts";
import type { Config, Context } from "#worker/platform/context.ts";
import { isLocal } from "#worker/platform/local.ts";

type Ways = Pick<Context, "config" | "email">;

/**
 * How a mail leaves that somebody waits for: by the mail server, else by Resend, else by Cloudflare's Email Service. A
 * deployed site prints no mail: its log is read by others than the mail is for.
 */
export function mailWayOf({ config: { smtpUrl, resend, siteUrl }, email }: Ways): MailWay {
  if (smtpUrl !== undefined) return "smtp";
  if (resend !== undefined) return "resend";
  if (email !== undefined) return "cloudflare";
  return isLocal(siteUrl) ? "console" : "database";
}

/** How letters leave: by Resend, which takes batches and knows a repeated one; else by the mail server. */
export function letterWayOf({ config: { smtpUrl, resend, siteUrl } }: Pick<Context, "config">): LetterWay {
  if (resend !== undefined) return "resend";
  if (smtpUrl !== undefined) return "smtp";
  return isLocal(siteUrl) ? "console" : "none";
}

export function mailDestinationOf(ctx: Ways): MailDestination {
  const way = mailWayOf(ctx);
  return way === "console" || way === "database" ? way : "mailbox";
}

/** How letters leave; null where they cannot. */
export function letterProvider(ctx: Pick<Context, "config">): Provider | null {
  const way = letterWayOf(ctx);
  const open = openers[way];
  return open && { isIdempotent: way === "resend", sessions: sessions[way], open: () => open(ctx.config) };
}

/** How many sessions each bears side by side. Resend takes a hundred mails at once, and few requests a second. */
const sessions: Record<LetterWay, number> = { resend: 1, smtp: 4, console: 1, none: 0 };

type Open = (config: Config) => ReturnType<Provider["open"]>;

const openers: Record<LetterWay, Open | null> = {
  // Each is read when a letter is to leave: most isolates send none.
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
          mails.map((): Outcome => ({ state: "sent", answer: "Shown on the console." })),
        );
      },
      close: () => undefined,
    }),
  none: null,
};
