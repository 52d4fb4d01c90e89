import { sharedMail, slot, type MailBody } from "#worker/mail/message.ts";
import type { Context } from "#worker/platform/context.ts";
import { readSender } from "#worker/settings/queries.ts";

/** What each mail of a letter fills in: the token of its unsubscribe links. */
export const UNSUBSCRIBE_SLOT = "unsubscribe_token";

type Letter = { subject: string; preheader: string; content: string };

/** What all mails of a letter share. */
export async function renderLetter(ctx: Context, { subject, content }: Letter): Promise<MailBody> {
  const { sender } = await readSender(ctx);
  const { siteUrl } = ctx.config;
  const token = slot(UNSUBSCRIBE_SLOT);
  return sharedMail(ctx, {
    ...sender,
    subject,
    parts: [content],
    footer: {
      text: "You get this letter because you subscribed.",
      label: "Unsubscribe",
      href: `${siteUrl}/unsubscribe?token=${token}`,
    },
    headers: {
      "List-Unsubscribe": `<${siteUrl}/api/newsletter/unsubscribe?token=${token}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  });
}
