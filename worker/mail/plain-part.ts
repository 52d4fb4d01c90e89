import type { RichPart } from "#worker/mail/rich-text.ts";
import { elements } from "#worker/mail/styles.ts";
import { escapeHtml } from "#worker/platform/text/escape-html.ts";

/** Typed plain text as a part of an email: paragraphs and line breaks stay, and nothing in it is markup. */
export const plainPart = (text: string): RichPart => ({
  text,
  html: text
    .split(/\n\s*\n/)
    .map((paragraph) => `<p style="${elements["p"]}">${escapeHtml(paragraph).replaceAll("\n", "<br>")}</p>`)
    .join("\n"),
});
