import { outboxRow, type Deliver } from "#worker/platform/outbox.ts";
import type { Context } from "#worker/platform/context.ts";

export type Mail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** RFC 5322 Message-ID, the same on every attempt. */
  messageId: string;
};

export const MAIL_TOPIC = "mail";

/** A paragraph, or a link on a line of its own. */
export type MailPart = string | { label: string; href: string };

/** The outbox row of a mail, text and HTML parts from the same words. */
export function mailRow(ctx: Context, { to, subject, parts }: { to: string; subject: string; parts: MailPart[] }) {
  const host = new URL(ctx.config.siteUrl).hostname;
  const mail: Mail = {
    to,
    subject,
    text: parts.map((part) => (typeof part === "string" ? part : `${part.label}:\n${part.href}`)).join("\n\n") + "\n",
    html: page(subject, parts.map(htmlPart).join("\n")),
    messageId: `<${crypto.randomUUID()}@${host}>`,
  };
  return outboxRow(ctx, MAIL_TOPIC, mail);
}

/** The outbox transport: the row in D1 is the mail, read in the admin area; nothing leaves the machine. */
const keepInOutbox: Deliver = async (_ctx, payload) => {
  const mail = payload as Mail;
  const [link = ""] = mail.text.match(/https?:\/\/\S+/) ?? [];
  console.log(`[mail] to=${mail.to} subject="${mail.subject}" link=${link}`);
};

const transports: Record<string, Deliver> = { outbox: keepInOutbox };

export const deliverMail: Deliver = async (ctx, payload, row) => {
  const transport = transports[ctx.config.mailTransport];
  if (!transport) throw new Error(`MAIL_TRANSPORT "${ctx.config.mailTransport}" is not one of ${Object.keys(transports).join(", ")}.`);
  await transport(ctx, payload, row);
};

const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

const htmlPart = (part: MailPart) =>
  typeof part === "string"
    ? `<p style="margin:0 0 16px">${escapeHtml(part)}</p>`
    : `<p style="margin:0 0 24px"><a href="${escapeHtml(part.href)}" style="display:inline-block;padding:12px 20px;background:#1F5A4C;color:#FFFFFF;text-decoration:none">${escapeHtml(part.label)}</a></p>`;

const page = (title: string, body: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:32px 16px;background:#FAF7F0;color:#1C1A16;font:17px/1.5 Georgia,serif">
<div style="max-width:560px;margin:0 auto">
${body}
</div></body></html>
`;
