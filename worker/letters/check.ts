import { requireCapability } from "#worker/access/capabilities.ts";
import { checkLinks } from "#worker/letters/check-links.ts";
import {
  LetterPreviewInput,
  type Finding,
  type LetterInput,
  FILL_IN_BOTH,
} from "#worker/letters/contract.ts";
import { readLetterRow } from "#worker/letters/queries.ts";
import { renderUncounted, UNSUBSCRIBE_SLOT } from "#worker/letters/render.ts";
import { bytesOf } from "#worker/letters/preview.ts";
import { linksAndPicturesIn } from "#worker/mail/markdown-text.ts";
import { slotsOf, type MailBody } from "#worker/mail/message.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import type { Site } from "#worker/settings/contract.ts";
import { readSite } from "#worker/settings/queries.ts";
import { isOwnSender, sendingDomain } from "#worker/settings/sender.ts";
import { AppError } from "#worker/platform/errors.ts";

type Written = Pick<LetterInput, "subject" | "preheader" | "content"> &
  Partial<Pick<LetterInput, "question">>;

/** Gmail clips an email after 102 kB of HTML, and with it the unsubscribe link. */
const MOST_BYTES = 100_000;
/** Bytes of a token, which replaces a slot. */
const TOKEN_BYTES = 300;
/** Characters of a subject that phones show. */
const ON_A_PHONE = 50;

/**
 * Findings that may prevent a letter from arriving or being read, blocking ones first. Requests the linked sites.
 * Checks the given texts, if any, instead of the saved ones.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid`
 */
export async function checkLetter(
  ctx: Context,
  id: number,
  input: Partial<LetterPreviewInput> = {},
): Promise<Finding[]> {
  requireCapability("audience", ctx);
  const words = parseInput(LetterPreviewInput.partial(), input);
  const letter = { ...(await readLetterRow(ctx, id)), ...words };
  const { links, pictures } = linksAndPicturesIn(letter.content);
  const [site, { mail }, ofLinks] = await Promise.all([
    readSite(ctx),
    renderUncounted(ctx, letter),
    checkLinks(ctx, links),
  ]);
  const findings = [
    ...checkWords(letter),
    ...checkMail(mail),
    ...pictures.filter(({ alt }) => alt.trim() === "").map(({ url }) => withoutAlt(url)),
    ...ofLinks,
    ...checkSender(ctx, site),
  ];
  return [...findings.filter(isBlocking), ...findings.filter((finding) => !isBlocking(finding))];
}

/** The findings that block sending. Makes no requests, so that sending never waits for another site. */
export const blockingIn = (letter: Written, mail: MailBody): Finding[] =>
  [...checkWords(letter), ...checkMail(mail)].filter(isBlocking);

/** The same for a letter whose email is not rendered yet. */
export async function blockingFindings(ctx: Context, letter: Written) {
  const { mail } = await renderUncounted(ctx, letter);
  return blockingIn(letter, mail);
}

const isBlocking = ({ level }: Finding) => level === "blocks";

const blocks = (code: string, message: string, where?: string): Finding => ({
  level: "blocks",
  code,
  message,
  where,
});
const warns = (code: string, message: string, where?: string): Finding => ({
  level: "warns",
  code,
  message,
  where,
});

function checkWords({ subject, preheader, content }: Written): Finding[] {
  const found: Finding[] = [];
  if (content.trim() === "") found.push(blocks("no-content", "The letter has no content."));
  if (subject.trim() === "") return [blocks("no-subject", "The letter has no subject."), ...found];
  if (isShouted(subject))
    found.push(warns("shouting", "The subject is all in capitals, which can look like spam.", subject));
  if ((subject.match(/[!！]/g) ?? []).length > 1)
    found.push(warns("exclaiming", "The subject has more than one exclamation mark.", subject));
  const [spam] = SPAM.exec(subject) ?? [];
  if (spam) found.push(warns("spam-words", `“${spam}” in a subject can look like spam.`, subject));
  if (subject.length > ON_A_PHONE)
    found.push(
      warns(
        "long-subject",
        `Phones show about ${ON_A_PHONE} characters of a subject; this one has ${subject.length}.`,
      ),
    );
  if (preheader.trim() === "")
    found.push(
      warns("no-preheader", "There’s no preheader, so inboxes show the start of the text after the subject."),
    );
  return found;
}

function isShouted(subject: string) {
  const letters = subject.replace(/[^\p{L}]/gu, "");
  return letters.length >= 8 && letters === letters.toUpperCase() && letters !== letters.toLowerCase();
}

/** Few, since most words are harmless in a newsletter that its readers signed up for. */
const SPAM =
  /\b(?:100% free|act now|cash bonus|click here|earn \$|free money|guaranteed|limited time|make money|risk[- ]free|winner)\b|\${2,}/i;

/** Checks the rendered mail. */
function checkMail(mail: MailBody): Finding[] {
  const found: Finding[] = [];
  const bytes = bytesOf(mail.html) + TOKEN_BYTES * slotsIn(mail);
  if (bytes > MOST_BYTES)
    found.push(
      blocks(
        "too-large",
        `The email is ${Math.ceil(bytes / 1000)} kB. Gmail cuts off emails longer than 100 kB, and the unsubscribe link with them. Shorten it, and link to the rest.`,
      ),
    );
  if (!hasUnsubscribe(mail))
    found.push(
      blocks("no-unsubscribe", "The email has no unsubscribe link. Without one, providers refuse it."),
    );
  for (const [, src] of mail.html.matchAll(/<img[^>]* src="([^"]+\.(?:webp|avif))"/g))
    found.push(
      warns(
        "unsupported-picture",
        "Outlook on Windows doesn’t show WebP or AVIF, and no copy could be made. Upload it as JPEG or PNG.",
        src,
      ),
    );
  if (mail.text.trim() === "") found.push(warns("no-text", "The email has no text part."));
  return found;
}

/** How many places of the HTML are filled in. */
const slotsIn = ({ html, mark = "" }: MailBody) => html.split(`{{${mark}`).length - 1;

function hasUnsubscribe({ html, text, headers, ...mail }: MailBody) {
  const token = slotsOf(mail)(UNSUBSCRIBE_SLOT);
  return [html, text, headers["List-Unsubscribe"] ?? ""].every((part) => part.includes(token));
}

const withoutAlt = (url: string) =>
  warns("no-alt", "A picture has no description. Many email apps show it in place of the picture.", url);

function checkSender({ config }: Context, { email, newsletter }: Site): Finding[] {
  const found: Finding[] = [];
  if (email.fromEmail && !isOwnSender(email.fromEmail, config))
    found.push(
      warns(
        "foreign-sender",
        `The From Email isn’t at ${sendingDomain(config)}, so letters come from ${config.mailFrom}.`,
        email.fromEmail,
      ),
    );
  if (!email.replyTo)
    found.push(
      warns("no-reply-to", "No Reply-To is set, so replies go to the address the letter comes from."),
    );
  if (!newsletter.postalAddress)
    found.push(
      warns(
        "no-address",
        "No postal address is set. Spam laws require contact details: add them in Settings ▸ Email.",
      ),
    );
  return found;
}

/**
 * Requires that a letter can be sent; `mail` is its rendered mail.
 * @throws `invalid`
 */
export function requireSendable(letter: LetterInput, mail: MailBody) {
  requireBoth(letter);
  const [finding] = blockingIn(letter, mail);
  if (finding) throw new AppError("invalid", finding.message, { field: "content" });
}

/**
 * Requires a subject and content.
 * @throws `invalid`
 */
export function requireBoth({ subject, content }: Pick<LetterInput, "subject" | "content">) {
  const field = subject.trim() === "" ? "subject" : content.trim() === "" ? "content" : undefined;
  if (field) throw new AppError("invalid", FILL_IN_BOTH, { field });
}
