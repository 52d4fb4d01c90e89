import type { MailHeaders } from "#worker/mail/message.ts";
import type { Context } from "#worker/platform/context.ts";

/**
 * The headers for unsubscribing in a mail program (RFC 2369, RFC 8058), and the list's name (RFC 2919). `token` may be
 * a slot of a shared body.
 */
export const listHeaders = ({ config: { siteUrl } }: Context, token: string): MailHeaders => ({
  "List-Unsubscribe": `<${siteUrl}/api/newsletter/unsubscribe?token=${token}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  "List-Id": `<letters.${new URL(siteUrl).hostname}>`,
  Precedence: "bulk",
});
