import { encode as encodeBase64, wrap as wrapBase64 } from "nodemailer/lib/base64";
import MailComposer from "nodemailer/lib/mail-composer";
import type MimeNode from "nodemailer/lib/mime-node";
import { encode as encodeQuotedPrintable, wrap as wrapQuotedPrintable } from "nodemailer/lib/qp";
import { calendarFileOf, type Mail } from "#worker/mail/message.ts";

/** An email as MIME: its envelope, and its headers and parts. */
export function mimeOf(mail: Mail) {
  const message = composeMime(mail);
  return { envelope: message.getEnvelope(), raw: Buffer.from(`${render(message)}\r\n`) };
}

export const composeMime = (mail: Mail) =>
  new MailComposer({
    from: toAddress(mail.from),
    ...(mail.replyTo && { replyTo: toAddress(mail.replyTo) }),
    to: mail.to,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    // As an alternative to text and HTML, where mail programs look for it, and also as an attachment.
    ...(mail.invitation !== undefined && { icalEvent: calendarPart(mail.invitation) }),
    messageId: mail.messageId,
    headers: mail.headers as Record<string, string>,
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();

function calendarPart(content: string) {
  const { method, name } = calendarFileOf(content);
  return { method, content, filename: name };
}

const toAddress = ({ name = "", address }: Mail["from"]) => ({ name, address });

/**
 * A synchronous version of the node's own `build`, which waits a dozen times for `setImmediate`, a millisecond each in
 * workerd. This sends letters four times as fast.
 */
function render(node: MimeNode): string {
  const head = `${node.buildHeaders()}\r\n\r\n`;
  if (!node.multipart) return head + contentOf(node);
  const parts = node.childNodes.map((child) => `--${node.boundary}\r\n${render(child)}`);
  return `${head}${parts.join("\r\n")}\r\n--${node.boundary}--`;
}

function contentOf(node: MimeNode) {
  const content = node.content as string | Buffer;
  switch (node.getTransferEncoding()) {
    case "quoted-printable":
      return wrapQuotedPrintable(encodeQuotedPrintable(content));
    case "base64":
      return wrapBase64(encodeBase64(content));
    default:
      return String(content);
  }
}
