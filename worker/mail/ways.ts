import type { LetterWay, MailWay } from "#worker/mail/contract.ts";
import { isLocal } from "#worker/platform/http/local-address.ts";

/** The settings that decide how emails leave. */
export type Ways = {
  config: { siteUrl: string; smtpUrl: string | undefined; resend: object | undefined };
  /** Whether Cloudflare's Email Service is bound. */
  hasEmail: boolean;
};

/**
 * How a transactional email leaves: by the mail server, else by Resend, else by Cloudflare's Email Service. A deployed
 * site prints no email, since its log has other readers.
 */
export function mailWayOf({ config: { smtpUrl, resend, siteUrl }, hasEmail }: Ways): MailWay {
  if (smtpUrl !== undefined) return "smtp";
  if (resend !== undefined) return "resend";
  if (hasEmail) return "cloudflare";
  return isLocal(siteUrl) ? "console" : "database";
}

/** How letters leave: by Resend, which has idempotent batches; else by the mail server. */
export function letterWayOf({ config: { smtpUrl, resend, siteUrl } }: Pick<Ways, "config">): LetterWay {
  if (resend !== undefined) return "resend";
  if (smtpUrl !== undefined) return "smtp";
  return isLocal(siteUrl) ? "console" : "none";
}
