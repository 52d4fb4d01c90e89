import type { Question } from "#worker/letters/contract.ts";
import type { RichPart } from "#worker/mail/rich-text.ts";
import { elements } from "#worker/mail/styles.ts";
import type { Context } from "#worker/platform/context.ts";
import { escapeHtml } from "#worker/platform/text/escape-html.ts";

/** The slot that each copy of a letter with a question fills: the token of its answers' links. */
export const ANSWER_SLOT = "answer_token";

/** A row is a finger's height, and all of it is the link. */
const ROW = `${elements["td"]};padding:0`;
const LINK = `${elements["a"]};display:block;padding:11px 0;font-size:17px`;

/** A letter's question in its email, each answer a link. `token` may be a slot of a shared body. */
export function questionPart({ config }: Context, { text, answers }: Question, token: string): RichPart {
  const rows = answers.map((answer, index) => {
    const href = `${config.siteUrl}/answer?token=${token}&answer=${index + 1}`;
    return {
      html: `<tr><td style="${ROW}"><a href="${escapeHtml(href)}" style="${LINK}">${escapeHtml(answer)}</a></td></tr>`,
      text: `${answer}:\n${href}`,
    };
  });
  return {
    html: `<h2 style="${elements["h2"]}">${escapeHtml(text)}</h2>
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="${elements["table"]};margin:0 0 24px">${rows.map(({ html }) => html).join("")}</table>`,
    text: [text, ...rows.map((row) => row.text)].join("\n\n"),
  };
}

/** A letter's HTML on the site, with its question, which only its email asks. */
export const withQuestion = (html: string, question: Question | null) =>
  question === null
    ? html
    : `${html}
<h2>${escapeHtml(question.text)}</h2>
<ul>${question.answers.map((answer) => `<li>${escapeHtml(answer)}</li>`).join("")}</ul>
<p><em>Answered by email.</em></p>`;
