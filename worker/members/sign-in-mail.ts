import { eq } from "drizzle-orm";
import { causedMailId, mailRow } from "#worker/mail/message.ts";
import { members } from "#worker/members/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { readLink, signLink } from "#worker/platform/http/signed.ts";
import { enqueue, readOutboxRow, type Deliver } from "#worker/platform/work/outbox.ts";
import { readSender, readSite } from "#worker/settings/queries.ts";

export const MEMBER_SIGN_IN_TOPIC = "member-sign-in";

const PURPOSE = "member-sign-in";
/** Seconds for which the link works. */
export const SIGN_IN_LASTS = 15 * 60;

/** Sends the link, if the address is a member's. The request has been answered before that, for all addresses alike. */
export const answerSignInRequest: Deliver = async (ctx, payload, { id: cause }) => {
  if (await readOutboxRow(ctx, causedMailId(cause))) return;
  const { email } = payload as { email: string };
  const [[member], site] = await Promise.all([
    ctx.db
      .select({ id: members.id, email: members.email, stamp: members.stamp })
      .from(members)
      .where(eq(members.email, email)),
    readSite(ctx),
  ]);
  if (!member || !site.members.signIn) return;
  const { siteName, sender } = await readSender(ctx);
  const { id, stamp } = member;
  const token = await signLink(ctx, { purpose: PURPOSE, subject: String(id), stamp }, SIGN_IN_LASTS);
  const mail = mailRow(
    ctx,
    {
      ...sender,
      to: member.email,
      subject: `Sign in to ${siteName}`,
      parts: [
        `With this link you sign in to your account at ${siteName}. It works once, for 15 minutes.`,
        { label: "Sign in", href: `${ctx.config.siteUrl}/account/sign-in?token=${token}` },
        "If you didn’t ask for it, you can ignore this email. Without the link, nobody can sign in.",
      ],
      isKey: true,
    },
    cause,
  );
  await mail.statement;
  enqueue(ctx, mail.id);
};

/** The member's id and stamp in a link's token, or why it does not work. */
export async function readSignInToken(ctx: Context, token: string) {
  const link = await readLink(ctx, PURPOSE, token);
  return link.ok ? { ok: true as const, memberId: Number(link.subject), stamp: link.stamp } : link;
}
