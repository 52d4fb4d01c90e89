import { calendarFileOf, type Mail } from "#worker/mail/message.ts";
import { PermanentError } from "#worker/platform/work/outbox.ts";

/** Permanent errors: of the recipient or of the email itself. Limits and a missing set-up are temporary. */
const FINAL = /^E_(RECIPIENT_|VALIDATION_ERROR|FIELD_MISSING|CONTENT_TOO_LARGE|HEADER)/;

/**
 * Sends by the binding to Cloudflare's Email Service, which takes the parts of an email and writes the rest, the
 * Message-ID included.
 * @throws for a refusal; a `PermanentError` for one that is final
 */
export async function sendByCloudflare(email: SendEmail, mail: Mail) {
  const { from, replyTo, to, subject, text, html, headers, invitation } = mail;
  try {
    const { messageId } = await email.send({
      from: addressOf(from),
      to,
      ...(replyTo && { replyTo: addressOf(replyTo) }),
      subject,
      text,
      html,
      headers: headers as Record<string, string>,
      ...(invitation !== undefined && { attachments: [attachmentOf(invitation)] }),
    });
    return `Cloudflare accepted it as ${messageId}.`;
  } catch (error) {
    const { code = "" } = error as { code?: string };
    const words = `${code} ${(error as Error).message}`.trim();
    throw FINAL.test(code) ? new PermanentError(words, { cause: error }) : new Error(words, { cause: error });
  }
}

function attachmentOf(invitation: string): EmailAttachment {
  const { name, type } = calendarFileOf(invitation);
  return { disposition: "attachment", filename: name, type, content: new TextEncoder().encode(invitation) };
}

const addressOf = ({ address, name }: Mail["from"]) => (name ? { email: address, name } : address);
