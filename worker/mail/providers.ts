import type { Mail } from "#worker/mail/message.ts";
import type { Outcome, Provider } from "#worker/mail/session.ts";
import type { Context } from "#worker/platform/context.ts";
import { isLocal } from "#worker/platform/local.ts";

/** How letters leave; null where they cannot. */
export function letterProvider({ config }: Pick<Context, "config">): Provider | null {
  if (config.smtpUrl !== undefined) return smtpProvider(config.smtpUrl, new URL(config.siteUrl).hostname);
  return isLocal(config.siteUrl) ? consoleProvider : null;
}

/** Connections that a mail server bears side by side. */
const SMTP_SESSIONS = 4;

const smtpProvider = (url: string, name: string): Provider => ({
  isIdempotent: false,
  sessions: SMTP_SESSIONS,
  async open() {
    // Read when a letter is to leave: most isolates send none.
    const [{ connectSmtp }, { openSmtpSession }] = await Promise.all([
      import("#worker/mail/smtp.ts"),
      import("#worker/mail/smtp-session.ts"),
    ]);
    return openSmtpSession(() => connectSmtp(url, name));
  },
});

/** Mails of a batch that the console shows. */
const MOST_SHOWN = 20;

/** On this machine nothing leaves: the console says what would have. */
const consoleProvider: Provider = {
  isIdempotent: false,
  sessions: 1,
  open: async () => ({
    send: async (mails) => {
      print(mails);
      return mails.map((): Outcome => ({ state: "sent", answer: "Shown on the console." }));
    },
    close: () => undefined,
  }),
};

function print(mails: Mail[]) {
  for (const { to, subject } of mails.slice(0, MOST_SHOWN)) {
    console.log(`[mail] to=${to} subject=${JSON.stringify(subject)}`);
  }
  if (mails.length > MOST_SHOWN) console.log(`[mail] and ${mails.length - MOST_SHOWN} more`);
}
