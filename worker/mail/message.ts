import type { Context } from "#worker/platform/context.ts";
import { outboxRow } from "#worker/platform/outbox.ts";

export type Mail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Where its first link leads, empty for a mail without one. */
  link: string;
  /** RFC 5322 Message-ID, the same on every attempt. */
  messageId: string;
  /** Its link lets whoever has it into an account. */
  isKey: boolean;
};

export const MAIL_TOPIC = "mail";

/** A paragraph, or a link on a line of its own. */
export type MailPart = string | { label: string; href: string };

type NewMail = {
  to: string;
  subject: string;
  parts: MailPart[];
  /** Small, below the rest: why the mail came and how to end it. */
  footer?: { text: string; label: string; href: string };
  isKey?: boolean;
};

/** The outbox row of a mail, text and HTML parts from the same words, and whom it goes to. */
export function mailRow(ctx: Context, { to, subject, parts, footer, isKey = false }: NewMail) {
  if (!ADDRESS.test(to)) throw new Error("A mail needs one plain address to go to.");
  const host = new URL(ctx.config.siteUrl).hostname;
  const mail: Mail = {
    to,
    subject: oneLine(subject),
    text: [...parts.map(textPart), ...(footer ? [textFooter(footer)] : [])].join("\n\n") + "\n",
    html: page(
      oneLine(subject),
      [...parts.map(htmlPart), ...(footer ? [htmlFooter(footer)] : [])].join("\n"),
    ),
    link: parts.find((part) => typeof part !== "string")?.href ?? "",
    messageId: `<${crypto.randomUUID()}@${host}>`,
    isKey,
  };
  return { ...outboxRow(ctx, MAIL_TOPIC, mail), to };
}

/** One address and nothing that a header or a line on the console could be forged with. */
const ADDRESS = /^[^\s"<>(),:;@\\\p{Cc}]+@[^\s"<>(),:;@\\\p{Cc}]+$/u;

/** A line break in a subject would begin a header of the sender's choice. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();

const textPart = (part: MailPart) => (typeof part === "string" ? part : `${part.label}:\n${part.href}`);

const htmlPart = (part: MailPart) =>
  typeof part === "string"
    ? `<p style="margin:0 0 16px">${escapeHtml(part)}</p>`
    : `<p style="margin:0 0 24px"><a href="${escapeHtml(part.href)}" style="${BUTTON}">${escapeHtml(part.label)}</a></p>`;

type Footer = NonNullable<NewMail["footer"]>;

const textFooter = ({ text, label, href }: Footer) => `-- \n${text} ${label}:\n${href}`;

const htmlFooter = ({ text, label, href }: Footer) =>
  `<p style="margin:32px 0 0;padding-top:16px;border-top:1px solid #DDD6C8;color:#645E51;font-size:14px">${escapeHtml(text)} <a href="${escapeHtml(href)}" style="color:#1F5A4C">${escapeHtml(label)}</a></p>`;

/** Mail programs read style attributes only; the colours are those of the site's paper theme. */
const BUTTON = "display:inline-block;padding:12px 20px;background:#1F5A4C;color:#FFFFFF;text-decoration:none";

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

const page = (title: string, body: string) => `<!doctype html>
<html lang="en-AU"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:32px 16px;background:#FAF7F0;color:#1C1A16;font:17px/1.5 Georgia,serif">
<div style="max-width:560px;margin:0 auto">
${body}
</div></body></html>
`;
