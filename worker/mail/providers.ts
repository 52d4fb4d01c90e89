import type { MailSession, Outcome, Provider } from "#worker/mail/session.ts";
import type { Mail } from "#worker/mail/message.ts";
import { PermanentError } from "#worker/platform/outbox.ts";
import type { Context } from "#worker/platform/context.ts";
import { isLocal } from "#worker/platform/local.ts";
export function letterProvider({ config }: Context): Provider | null {
  if (config.smtpUrl === undefined) {
    if (!isLocal(config.siteUrl)) return null;
    return {
      isIdempotent: false,
      sessions: 1,
      open: async () => ({
        send: async (mails: Mail[]) => mails.map(() => ({ state: "sent", answer: "" }) as Outcome),
        close: () => undefined,
      }),
    };
  }
  return {
    isIdempotent: false,
    sessions: 4,
    open: async (): Promise<MailSession> => {
      const { openSmtp } = await import("#worker/mail/smtp.ts");
      const s = await openSmtp(config.smtpUrl!, new URL(config.siteUrl).hostname);
      return {
        close: () => s.close(),
        send: async (mails) => {
          const out: Outcome[] = [];
          let broken = false;
          for (const mail of mails) {
            if (broken) {
              out.push({ state: "untried" });
              continue;
            }
            try {
              out.push({ state: "sent", answer: await s.send(mail) });
            } catch (error) {
              const m = (error as Error).message;
              if (error instanceof PermanentError)
                out.push({ state: "failed", answer: m, isBadAddress: m.includes("5.1.1") });
              else if (/closed/.test(m)) {
                broken = true;
                out.push({ state: "uncertain", answer: m });
              } else out.push({ state: "deferred", answer: m });
            }
          }
          return out;
        },
      };
    },
  };
}
