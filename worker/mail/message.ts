import type { SQL } from "drizzle-orm";
import type { RichPart } from "#worker/mail/rich-text.ts";
import { buttonHtml, mailPage, textFooter, type MailFooter, type MailSite } from "#worker/mail/template.ts";
import { elements } from "#worker/mail/styles.ts";
import { escapeHtml } from "#worker/platform/text/escape-html.ts";
import { beginningOf } from "#worker/platform/text/excerpt.ts";
import type { Context } from "#worker/platform/context.ts";
import { randomId } from "#worker/platform/data/random.ts";
import { outboxBody, outboxRow, outboxRowIf, outboxRows } from "#worker/platform/work/outbox.ts";

export type Mailbox = { address: string; name?: string };

/** The headers that every provider accepts: Cloudflare's list. The transport writes all others. */
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
  /** The address of its first link; empty for none. */
  link: string;
  /** RFC 5322 Message-ID, the same on every attempt. */
  messageId: string;
  /** Its link gives access to an account. */
  isKey: boolean;
  /** An iCalendar object: with the method REQUEST an invitation, which mailboxes offer to accept, with CANCEL its cancellation. */
  invitation?: string;
};

/** The shared part of an email's copies. Text, HTML, link and headers have slots; the subject is the same for all. */
export type MailBody = Omit<Mail, "to" | "messageId" | "invitation"> & {
  /** Begins its slots. Random, so that no words of an author are a slot. A body of before 30 November 2026 has none. */
  mark?: string;
};

/** The payload of a copy's row, beside the reference to its body. */
export type MailCopy = { to: string; messageId: string; values: Record<string, string> };

export const MAIL_TOPIC = "mail";

/** A paragraph, a button, or a text with links and pictures. */
export type MailPart = string | MailButton | RichPart;
type MailButton = { label: string; href: string };

type NewBody = {
  /** The site's own sender by default. */
  from?: Mailbox;
  replyTo?: Mailbox;
  /** Named in header and footer; by default the host. */
  site?: MailSite;
  subject: string;
  /** The text that mailboxes show after the subject; by default the beginning of the text. */
  preheader?: string;
  parts: MailPart[];
  footer?: MailFooter;
  headers?: MailHeaders;
  isKey?: boolean;
};

export type NewMail = NewBody & Pick<Mail, "to" | "invitation">;

/** An email, text and HTML parts from the same words. */
export const composeMail = (
  ctx: Context,
  { to, invitation, ...body }: NewMail,
  id: string = crypto.randomUUID(),
): Mail => ({
  ...bodyOf(ctx, body),
  to: checkedAddress(to),
  messageId: messageIdOf(ctx, id),
  ...(invitation !== undefined && { invitation: checkedInvitation(invitation) }),
});

/** Characters: the row of an email holds it whole. */
const MAX_INVITATION = 20_000;

function checkedInvitation(invitation: string) {
  if (invitation.length > MAX_INVITATION) throw new Error("The invitation is too long for an email.");
  return invitation;
}

/** The invitation or its cancellation as an attachment; the part names the object's own method (RFC 6047). */
export function calendarFileOf(invitation: string) {
  const isCancellation = /^METHOD:CANCEL\r?$/m.test(invitation);
  const method = isCancellation ? "CANCEL" : "REQUEST";
  return {
    method,
    name: isCancellation ? "cancellation.ics" : "invitation.ics",
    type: `text/calendar; method=${method}; charset=utf-8`,
  } as const;
}

/**
 * The outbox row of an email, and its recipient. The handler of another row passes that row's id as the cause, and first
 * looks whether `causedMailId` exists: a handler that is run again writes no second email.
 */
export function mailRow(ctx: Context, mail: NewMail, cause?: string) {
  const id = cause === undefined ? crypto.randomUUID() : causedMailId(cause);
  return { ...outboxRow(ctx, MAIL_TOPIC, composeMail(ctx, mail, id), { id }), to: mail.to };
}

/** The same, written only if the condition is true and the cause has no email yet. */
export function mailRowIf(ctx: Context, mail: NewMail, cause: string, isDue: SQL) {
  const id = causedMailId(cause);
  return outboxRowIf(ctx, MAIL_TOPIC, composeMail(ctx, mail, id), isDue, { id });
}

/** The id of the email that an outbox row causes. */
export const causedMailId = (cause: string) => `${cause}-mail`;

/** Makes a placeholder for a value of each copy: in a paragraph, a link or a header. */
type Slot = (name: string) => string;

/** What makes the slots of a body. */
export const slotsOf =
  ({ mark }: Pick<MailBody, "mark">): Slot =>
  (name) =>
    mark === undefined ? `{{${name}}}` : `{{${mark}.${name}}}`;

/** The shared part of an email's copies; `write` puts slots where they differ. */
export function sharedMail(ctx: Context, write: (slot: Slot) => NewBody): MailBody {
  const mark = randomId();
  return { ...bodyOf(ctx, write(slotsOf({ mark }))), mark };
}

/** A body that many copies share, and the statement that writes it. `slots` names what each copy fills in. */
export function sharedBody(ctx: Context, slots: string[], write: (slot: Slot) => NewBody) {
  return { ...outboxBody(ctx, sharedMail(ctx, write)), slots };
}

/** `spacing`: milliseconds by which each copy leaves after the one before it. */
type SharedBody = { id: string; slots: string[]; spacing?: number };

/** The outbox rows of a body's copies, in one statement; each holds its address and its values only. */
export function copyRows(
  ctx: Context,
  { id, slots, spacing }: SharedBody,
  copies: Pick<MailCopy, "to" | "values">[],
) {
  const payloads = copies.map(({ to, values }): MailCopy => {
    const missing = slots.find((name) => !(name in values));
    if (missing) throw new Error(`A copy of an email lacks its "${missing}".`);
    if (Object.values(values).some((value) => LINE_BREAK.test(value))) {
      throw new Error("What a copy of an email fills in is one line.");
    }
    return { to: checkedAddress(to), messageId: newMessageId(ctx), values };
  });
  return outboxRows(ctx, MAIL_TOPIC, payloads, { bodyId: id, spacing });
}

/** One copy of a shared body, as a whole mail. */
export const copyOf = (ctx: Context, body: MailBody, { to, values }: Pick<MailCopy, "to" | "values">): Mail =>
  mailOf({ to: checkedAddress(to), messageId: newMessageId(ctx), values }, body);

/** The whole email of a row, whose body may be shared. */
export function mailOf(payload: unknown, body: unknown): Mail {
  if (body === null) return payload as Mail;
  const { to, messageId, values } = payload as MailCopy;
  const { text, html, link, headers, mark, ...shared } = body as MailBody;
  const fill = fillerOf(mark, values);
  const filled = Object.entries(headers).map(([name, value = ""]) => [name, fill(value)] as const);
  return {
    ...shared,
    to,
    messageId,
    text: fill(text),
    html: fill(html, escapeHtml),
    link: fill(link),
    headers: checkedHeaders(Object.fromEntries(filled)),
  };
}

function fillerOf(mark: string | undefined, values: MailCopy["values"]) {
  const slots = mark === undefined ? /\{\{(\w+)\}\}/g : new RegExp(`\\{\\{${mark}\\.(\\w+)\\}\\}`, "g");
  return (template: string, escape = (text: string) => text) =>
    template.replace(slots, (whole, name: string) => {
      if (Object.hasOwn(values, name)) return escape(values[name]!);
      // Without a mark, the author may have written it.
      if (mark === undefined) return whole;
      throw new Error(`A copy of an email lacks its "${name}".`);
    });
}

function bodyOf(ctx: Context, { subject, parts, footer, headers = {}, isKey = false, ...who }: NewBody) {
  const title = oneLine(subject);
  const text = parts.map(textPart).join("\n\n");
  const site = who.site ?? { name: new URL(ctx.config.siteUrl).hostname, language: "en", postalAddress: "" };
  return {
    from: checkedMailbox(who.from ?? { address: ctx.config.mailFrom }),
    replyTo: who.replyTo ? checkedMailbox(who.replyTo) : null,
    subject: title,
    text: `${[text, textFooter(who.site, footer)].filter(Boolean).join("\n\n")}\n`,
    html: mailPage({
      site: { ...site, url: ctx.config.siteUrl },
      title,
      preheader: oneLine(who.preheader || preheaderOf(parts)),
      content: parts.map(htmlPart).join("\n"),
      footer,
    }),
    headers: checkedHeaders(headers),
    link: parts.find((part): part is MailButton => typeof part !== "string" && "href" in part)?.href ?? "",
    isKey,
  } satisfies MailBody;
}

/** Characters that mailboxes show after a subject. */
const PREHEADER = 140;

/** From the first part that is not a button: a link is useless in a list of emails. */
function preheaderOf(parts: MailPart[]) {
  const first = parts.find((part) => typeof part === "string" || !("href" in part));
  return first === undefined ? "" : beginningOf(textPart(first), PREHEADER);
}

/** An RFC 5322 Message-ID. */
export const newMessageId = (ctx: Context) => messageIdOf(ctx, crypto.randomUUID());

const messageIdOf = ({ config }: Context, id: string) => `<${id}@${new URL(config.siteUrl).hostname}>`;

/** One address, without characters that could forge a header or a console line. */
const ADDRESS = /^[^\s"<>(),:;@\\\p{Cc}]+@[^\s"<>(),:;@\\\p{Cc}]+$/u;

function checkedAddress(address: string) {
  if (!ADDRESS.test(address)) throw new Error("An email needs one plain address.");
  return address;
}

const checkedMailbox = ({ address, name }: Mailbox): Mailbox => ({
  address: checkedAddress(address),
  ...(name && { name: oneLine(name) }),
});

const HEADER_NAME = /^(List-Unsubscribe|List-Unsubscribe-Post|List-Id|Precedence|X-[A-Za-z0-9-]+)$/;
/** Printable ASCII on one line: a line break would allow header injection. */
const HEADER_VALUE = /^[\x20-\x7e]*$/;
/** Characters of a line (RFC 5322, 2.1.1). */
const MAX_LINE = 998;

function checkedHeaders(headers: MailHeaders): MailHeaders {
  for (const [name, value = ""] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name))
      throw new Error(`An email has no header ${JSON.stringify(name)} of its own.`);
    if (!HEADER_VALUE.test(value)) throw new Error(`The header ${name} is not one line of ASCII.`);
    if (`${name}: ${value}`.length > MAX_LINE) throw new Error(`The header ${name} is too long for a line.`);
  }
  return headers;
}

/** People type names and subjects, and the transport encodes them; a line break would allow header injection. */
const oneLine = (text: string) => text.replaceAll(LINE_BREAKS, " ").trim();

const LINE_BREAK = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const LINE_BREAKS = new RegExp(`${LINE_BREAK.source}+`, "gu");

function textPart(part: MailPart) {
  if (typeof part === "string") return part;
  return "href" in part ? `${part.label}:\n${part.href}` : part.text;
}

function htmlPart(part: MailPart) {
  if (typeof part === "string") return `<p style="${elements["p"]}">${escapeHtml(part)}</p>`;
  return "href" in part ? buttonHtml(part.href, part.label) : part.html;
}
