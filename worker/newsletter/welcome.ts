import { renderUncounted, UNSUBSCRIBE_SLOT } from "#worker/letters/render.ts";
import { mailOf, newMessageId, type Mail } from "#worker/mail/message.ts";
import { signUnsubscribe } from "#worker/newsletter/unsubscribe-tokens.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Site } from "#worker/settings/contract.ts";

/** The welcome mail after confirmation, composed like a letter; null if the owner has written none. */
export async function welcomeMail(
  ctx: Context,
  { newsletter: { welcomeSubject, welcomeText } }: Site,
  { id, email }: { id: string; email: string },
): Promise<Mail | null> {
  if (welcomeSubject === "") return null;
  const [{ mail }, token] = await Promise.all([
    renderUncounted(ctx, { subject: welcomeSubject, preheader: "", content: welcomeText }),
    signUnsubscribe(ctx, { id }),
  ]);
  const copy = { to: email, messageId: newMessageId(ctx), values: { [UNSUBSCRIBE_SLOT]: token } };
  return mailOf(copy, mail);
}
