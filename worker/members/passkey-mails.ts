import type { SQL } from "drizzle-orm";
import { whenAndWhere } from "#worker/accounts/notices.ts";
import { mailRowIf } from "#worker/mail/message.ts";
import type { Context } from "#worker/platform/context.ts";
import { readSite, senderOf } from "#worker/settings/queries.ts";

type Named = { id: string; name: string };

/** The notices about a member's passkeys: outbox rows for the batch of what they are about. `isDue`: SQL, whether it happens. */
export const passkeyAddedMail = (ctx: Context, to: string, passkey: Named, isDue: SQL) =>
  notice(ctx, `member-passkey-added-${passkey.id}`, isDue, (siteName) => ({
    to,
    subject: `A passkey was added to your account at ${siteName}`,
    first: `The passkey “${passkey.name}” can now sign in to your account at ${siteName}.`,
    last: "If it wasn’t you: sign in with a link by email, remove this passkey, and sign out everywhere.",
  }));

export const passkeyRemovedMail = (ctx: Context, to: string, passkey: Named, isDue: SQL) =>
  notice(ctx, `member-passkey-removed-${passkey.id}`, isDue, (siteName) => ({
    to,
    subject: `A passkey was removed from your account at ${siteName}`,
    first: `The passkey “${passkey.name}” no longer signs in to your account at ${siteName}. A link by email still does.`,
    last: "If it wasn’t you: sign in with a link by email, sign out everywhere, and add the passkey again.",
  }));

type Words = { to: string; subject: string; first: string; last: string };

async function notice(ctx: Context, cause: string, isDue: SQL, write: (siteName: string) => Words) {
  const site = await readSite(ctx);
  const { to, subject, first, last } = write(site.name);
  const parts = [
    first,
    whenAndWhere(ctx, site.timeZone),
    last,
    { label: "Open your account", href: `${ctx.config.siteUrl}/account` },
  ];
  return mailRowIf(ctx, { ...senderOf(ctx, site), to, subject, parts }, cause, isDue);
}
