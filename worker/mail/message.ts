import type { Context } from "#worker/platform/context.ts";
import { outboxBody, outboxRow, outboxRows } from "#worker/platform/outbox.ts";

export type Mailbox = { address: string; name?: string };

/** Those that providers take from us: Cloudflare's list. The transport writes all others itself. */
export type MailHeaders = Partial<
  Record<"List-Unsubscribe" | "List-Unsubscribe-Post" | "List-Id" | "Precedence" | `X-${string}`, string>
>;

export type Mail = {
  from: Mailbox;
  replyTo: Mailbox | null;
  to: string;
  subject: string;
  text: string;
  html: string;
  headers: MailHeaders;
  /** Where its first link leads, empty for a mail without one. */
  link: string;
  /** RFC 5322 Message-ID, the same on every attempt. */
  messageId: string;
  /** Its link lets whoever has it into an account. */
  isKey: boolean;
};

/** What the copies of a mail have in common. Text, HTML, link and headers have slots; the subject is the same for all. */
export type MailBody = Omit<Mail, "to" | "messageId">;

/** What the row of one such mail holds beside the reference to its body. */
export type MailCopy = { to: string; messageId: string; values: Record<string, string> };

export const MAIL_TOPIC = "mail";

/** A paragraph, or a link on a line of its own. */
export type MailPart = string | { label: string; href: string };

type NewBody = {
  /** The site's own sender unless said. */
  from?: Mailbox;
  replyTo?: Mailbox;
  subject: string;
  parts: MailPart[];
  /** Small, below the rest: why the mail came and how to end it. */
  footer?: { text: string; label: string; href: string };
  headers?: MailHeaders;
  isKey?: boolean;
};

type NewMail = NewBody & { to: string };

/** A mail, text and HTML parts from the same words. */
export const composeMail = (ctx: Context, { to, ...body }: NewMail): Mail => ({
  ...bodyOf(ctx, body),
  to: checkedAddress(to),
  messageId: newMessageId(ctx),
});

/** The outbox row of a mail, and whom it goes to. */
export const mailRow = (ctx: Context, mail: NewMail) => ({
  ...outboxRow(ctx, MAIL_TOPIC, composeMail(ctx, mail)),
  to: mail.to,
});

/** Stands in a shared body for what differs from copy to copy: in a paragraph, a link or a header. */
export const slot = (name: string) => `{{${name}}}`;

/** What many copies of a mail share, with slots for the rest. */
export const sharedMail = (ctx: Context, body: NewBody): MailBody => bodyOf(ctx, body);

/** A body that many copies share, and the statement that writes it. `slots` names what each copy fills in. */
export function sharedBody(ctx: Context, { slots, ...body }: NewBody & { slots: string[] }) {
  return { ...outboxBody(ctx, bodyOf(ctx, body)), slots };
}

type SharedBody = { id: string; slots: string[] };

/** The outbox rows of a body's copies, in one statement; each holds its address and its values only. */
export function copyRows(ctx: Context, { id, slots }: SharedBody, copies: Pick<MailCopy, "to" | "values">[]) {
  const payloads = copies.map(({ to, values }): MailCopy => {
    const missing = slots.find((name) => !(name in values));
    if (missing) throw new Error(`A copy of a mail lacks its "${missing}".`);
    if (Object.values(values).some((value) => LINE_BREAK.test(value))) {
      throw new Error("What a copy of a mail fills in is one line.");
    }
    return { to: checkedAddress(to), messageId: newMessageId(ctx), values };
  });
  return outboxRows(ctx, MAIL_TOPIC, payloads, { bodyId: id });
}

/** The whole mail of a row, whose body may be shared. */
export function mailOf(payload: unknown, body: unknown): Mail {
  if (body === null) return payload as Mail;
  const { to, messageId, values } = payload as MailCopy;
  const { text, html, link, headers, ...shared } = body as MailBody;
  const filled = Object.entries(headers).map(([name, value = ""]) => [name, fill(value, values)] as const);
  return {
    ...shared,
    to,
    messageId,
    text: fill(text, values),
    html: fill(html, values, escapeHtml),
    link: fill(link, values),
    headers: checkedHeaders(Object.fromEntries(filled)),
  };
}

/** What no value is given for stays as it is: an author may have written it. */
const fill = (template: string, values: MailCopy["values"], escape = (text: string) => text) =>
  template.replace(/\{\{(\w+)\}\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? escape(values[name]!) : whole,
  );

function bodyOf(ctx: Context, { subject, parts, footer, headers = {}, isKey = false, ...who }: NewBody) {
  const title = oneLine(subject);
  return {
    from: checkedMailbox(who.from ?? { address: ctx.config.mailFrom }),
    replyTo: who.replyTo ? checkedMailbox(who.replyTo) : null,
    subject: title,
    text: [...parts.map(textPart), ...(footer ? [textFooter(footer)] : [])].join("\n\n") + "\n",
    html: page(title, [...parts.map(htmlPart), ...(footer ? [htmlFooter(footer)] : [])].join("\n")),
    headers: checkedHeaders(headers),
    link: parts.find((part) => typeof part !== "string")?.href ?? "",
    isKey,
  } satisfies MailBody;
}

/** An RFC 5322 Message-ID. */
export const newMessageId = ({ config }: Context) =>
  `<${crypto.randomUUID()}@${new URL(config.siteUrl).hostname}>`;

/** One address and nothing that a header or a line on the console could be forged with. */
const ADDRESS = /^[^\s"<>(),:;@\\\p{Cc}]+@[^\s"<>(),:;@\\\p{Cc}]+$/u;

function checkedAddress(address: string) {
  if (!ADDRESS.test(address)) throw new Error("A mail needs one plain address.");
  return address;
}

const checkedMailbox = ({ address, name }: Mailbox): Mailbox => ({
  address: checkedAddress(address),
  ...(name && { name: oneLine(name) }),
});

const HEADER_NAME = /^(List-Unsubscribe|List-Unsubscribe-Post|List-Id|Precedence|X-[A-Za-z0-9-]+)$/;
/** Printable ASCII on one line: a line break would begin a header, or the body, of somebody else's choice. */
const HEADER_VALUE = /^[\x20-\x7e]*$/;
/** Characters of a line (RFC 5322, 2.1.1). */
const MAX_LINE = 998;

function checkedHeaders(headers: MailHeaders): MailHeaders {
  for (const [name, value = ""] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name)) throw new Error(`A mail has no header ${JSON.stringify(name)} of its own.`);
    if (!HEADER_VALUE.test(value)) throw new Error(`The header ${name} is not one line of ASCII.`);
    if (`${name}: ${value}`.length > MAX_LINE) throw new Error(`The header ${name} is too long for a line.`);
  }
  return headers;
}

/** Names and subjects are typed by people, and encoded by the transport; a line break would begin a header. */
const oneLine = (text: string) => text.replaceAll(LINE_BREAKS, " ").trim();

const LINE_BREAK = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const LINE_BREAKS = new RegExp(`${LINE_BREAK.source}+`, "gu");

const textPart = (part: MailPart) => (typeof part === "string" ? part : `${part.label}:\n${part.href}`);

const htmlPart = (part: MailPart) =>
  typeof part === "string"
    ? `<p style="margin:0 0 16px">${escapeHtml(part)}</p>`
    : `<p style="margin:0 0 24px"><a href="${escapeHtml(part.href)}" style="${BUTTON}">${escapeHtml(part.label)}</a></p>`;

type Footer = NonNullable<NewBody["footer"]>;

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
