import MailComposer from "nodemailer/lib/mail-composer";
import type { Mail } from "#worker/mail/message.ts";

/** A mail as it travels: its envelope, and its headers and parts. */
export async function mimeOf(mail: Mail) {
  const message = new MailComposer({
    from: toAddress(mail.from),
    ...(mail.replyTo && { replyTo: toAddress(mail.replyTo) }),
    to: mail.to,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: mail.messageId,
    headers: mail.headers as Record<string, string>,
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  return { envelope: message.getEnvelope(), raw: await message.build() };
}

const toAddress = ({ name = "", address }: Mail["from"]) => ({ name, address });
