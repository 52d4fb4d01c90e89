import type { LetterInput } from "#worker/letters/contract.ts";
import { countedPath, newMark, type CountedLinks } from "#worker/letters/counted-links.ts";
import { ANSWER_SLOT, questionPart } from "#worker/letters/question-part.ts";
import { sharedMail, type MailBody } from "#worker/mail/message.ts";
import { renderMailText, type LinkTo } from "#worker/mail/rich-text.ts";
import { listHeaders } from "#worker/newsletter/list-headers.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Site } from "#worker/settings/contract.ts";
import { readSite, senderOf } from "#worker/settings/queries.ts";
import { readTopicOf } from "#worker/topics/queries.ts";

/** The slot that each copy of a letter fills: the token of its unsubscribe links. */
export const UNSUBSCRIBE_SLOT = "unsubscribe_token";

type Written = Pick<LetterInput, "subject" | "preheader" | "content"> &
  Partial<Pick<LetterInput, "question" | "segment">>;

/** The shared email of a letter, and the targets of its links. */
export type RenderedLetter = { mail: MailBody; links: string[] };

/**
 * Renders a letter for sending. If clicks are counted, its links go through `/l/…`: `letterLinksOf` stores `counted` in the
 * batch that starts the sending.
 */
export async function renderLetter(
  ctx: Context,
  letter: Written & { id: number },
): Promise<{ mail: MailBody; counted: CountedLinks }> {
  const site = await readSite(ctx);
  const mark = newMark();
  if (!site.newsletter.countClicks) {
    const { mail } = await composeLetter(ctx, site, letter);
    return { mail, counted: { links: [], mark } };
  }
  const linkTo: LinkTo = (_, position) => ctx.config.siteUrl + countedPath(letter.id, position, mark);
  const { mail, links } = await composeLetter(ctx, site, letter, linkTo);
  return { mail, counted: { links, mark } };
}

/** Renders a letter for preview and checks, with direct links. `links` has all of them. */
export const renderUncounted = async (ctx: Context, letter: Written): Promise<RenderedLetter> =>
  composeLetter(ctx, await readSite(ctx), letter);

/** The same with settings that are already read. */
export async function composeLetter(
  ctx: Context,
  site: Site,
  { subject, preheader, content, question, segment }: Written,
  linkTo?: LinkTo,
): Promise<RenderedLetter> {
  const [{ links, ...part }, topic] = await Promise.all([
    renderMailText(ctx, content, { linkTo }),
    readTopicOf(ctx, segment?.topic ?? null),
  ]);
  const mail = sharedMail(ctx, (slot) => ({
    ...senderOf(ctx, site),
    subject,
    preheader,
    parts: question ? [part, questionPart(ctx, question, slot(ANSWER_SLOT))] : [part],
    footer: {
      text: `You get this letter because you subscribed to ${site.name}${topic.name === null ? "" : `, topic “${topic.name}”`}.`,
      label: topic.areOffered ? "Choose topics or unsubscribe" : "Unsubscribe",
      href: `${ctx.config.siteUrl}/unsubscribe?token=${slot(UNSUBSCRIBE_SLOT)}`,
    },
    headers: listHeaders(ctx, slot(UNSUBSCRIBE_SLOT)),
  }));
  return { mail, links };
}
