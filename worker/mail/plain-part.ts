import type { RichPart } from "#worker/mail/rich-text.ts";
import { elements } from "#worker/mail/styles.ts";
import { escapeHtml } from "#worker/mail/template.ts";

/** Plain text that somebody typed, as a part of a mail: its paragraphs and line breaks stay, nothing in it is markup. */
export const plainPart = (text: string): RichPart => ({
  text,
  html: text
    .split(/\n\s*\n/)
    .map((paragraph) => `<p style="${elements["p"]}">${escapeHtml(paragraph).replaceAll("\n", "<br>")}</p>`)
    .join("\n"),
});
