import { ACCENT, button, frame, MIRRORED, PAPER, STYLE_SHEET } from "#worker/mail/styles.ts";
import { directionOf } from "#worker/platform/text/direction.ts";
import { escapeHtml } from "#worker/platform/text/escape-html.ts";

/** The site that sends the mail. */
export type MailSite = {
  name: string;
  /** BCP 47. */
  language: string;
  /** The sender's postal address; empty for none. */
  postalAddress: string;
};

/** Small text at the end: why the email was sent, and how to unsubscribe. */
export type MailFooter = { text: string; label: string; href: string };

type Page = {
  site: MailSite & { url: string };
  /** Its subject, which is also its headline; empty in a draft. */
  title: string;
  /** The text that mailboxes show after the subject. */
  preheader: string;
  /** Sanitised HTML. */
  content: string;
  footer: MailFooter | undefined;
};

const LAYOUT = `role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"`;

/** Outlook on Windows does not support max-width. */
const forOutlook = (html: string) => `<!--[if mso]>${html}<![endif]-->`;

/** Stops mailboxes from showing the following text after the preheader. */
const FILLER = "&#847;&#8199;&#65279;".repeat(40);

/** The HTML part of an email. Laid out with tables, for Outlook on Windows. */
export function mailPage({ site, title, preheader, content, footer }: Page) {
  const isMirrored = directionOf(site.language) === "rtl";
  const language = `lang="${escapeHtml(site.language)}"${isMirrored ? ' dir="rtl"' : ""}`;
  const side = isMirrored ? "right" : "left";
  return `<!doctype html>
<html ${language}><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<meta name="x-apple-disable-message-reformatting">
<title>${escapeHtml(title || site.name)}</title>
<style>
${STYLE_SHEET}${isMirrored ? `\n${MIRRORED}` : ""}
</style></head>
<body class="paper" style="${frame.page}">
${preheader && `<div style="${frame.preheader}">${escapeHtml(preheader)}${FILLER}</div>\n`}<div role="article" aria-roledescription="email" aria-label="${escapeHtml(title || site.name)}" ${language}>
<table ${LAYOUT} bgcolor="${PAPER}" class="paper" style="${frame.canvas}"><tr><td align="center" style="padding:24px 16px 40px">
${forOutlook(`<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td>`)}
<table ${LAYOUT} style="${frame.column}">
<tr><td align="${side}" class="ink edge" style="${frame.head}"><a href="${escapeHtml(site.url)}" class="home" style="${frame.home}">${escapeHtml(site.name)}</a></td></tr>
<tr><td align="${side}" class="ink" style="${frame.text}">
${title && `<h1 class="title" style="${frame.title}">${escapeHtml(title)}</h1>\n`}${content}
</td></tr>
<tr><td align="${side}" class="muted edge" style="${frame.foot}">
${footer ? `${footLine(footer)}\n` : ""}<p style="${frame.small}">${addressOf(site)}</p>
</td></tr>
</table>
${forOutlook("</td></tr></table>")}
</td></tr></table>
</div></body></html>
`;
}

const footLine = ({ text, label, href }: MailFooter) =>
  `<p style="${frame.small}">${escapeHtml(text)} <a href="${escapeHtml(href)}" style="${frame.footLink}">${escapeHtml(label)}</a></p>`;

const addressOf = ({ name, postalAddress }: MailSite) =>
  [name, ...linesOf(postalAddress)].map(escapeHtml).join("<br>");

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** The footer of the text part, after the signature delimiter; empty if there is neither. */
export function textFooter(site: MailSite | undefined, footer: MailFooter | undefined) {
  const end = footer && `${footer.text} ${footer.label}:\n${footer.href}`;
  const sender = site && [site.name, ...linesOf(site.postalAddress)].join("\n");
  const said = [end, sender].filter((part) => part !== undefined);
  return said.length > 0 ? `-- \n${said.join("\n\n")}` : "";
}

/** A link as a button that also works with pictures switched off. `href` and `label` are plain text. */
export const buttonHtml = (href: string, label: string) =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="${button.table}"><tr><td class="button" bgcolor="${ACCENT}" style="${button.cell}"><a href="${escapeHtml(href)}" style="${button.link}">${escapeHtml(label)}</a></td></tr></table>`;
