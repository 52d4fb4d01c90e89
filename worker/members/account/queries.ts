import { and, eq } from "drizzle-orm";
import { renderSVG } from "uqr";
import {
  EXPIRED_SIGN_IN,
  INVALID_SIGN_IN,
  type MemberAccount,
  type SignInState,
} from "#worker/members/contract.ts";
import { readMemberFeed } from "#worker/members/feed/queries.ts";
import { noFeed } from "#worker/members/feed/template.ts";
import { stateOf } from "#worker/members/membership-state.ts";
import { listMemberPasskeys } from "#worker/members/passkeys.ts";
import { findMember, listDevices, requireMember } from "#worker/members/sessions.ts";
import { readSignInToken } from "#worker/members/sign-in-mail.ts";
import { members } from "#worker/members/table.ts";
import { ACCOUNT_CONSENT } from "#worker/newsletter/contract.ts";
import { readSubscription, runningPause } from "#worker/newsletter/queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { readSite } from "#worker/settings/queries.ts";
import { offerTo, selectTopics } from "#worker/topics/queries.ts";

/** @throws `not_found` while members' accounts are switched off */
export async function requireAccounts(ctx: Context) {
  const site = await readSite(ctx);
  if (!site.members.signIn) throw new AppError("not_found", "There are no accounts here.");
  return site;
}

/**
 * The state of the page before its button is pressed. Changes nothing: mail scanners open every link.
 * @throws `not_found` while members' accounts are switched off
 */
export async function readSignIn(ctx: Context, token: string): Promise<SignInState> {
  await requireAccounts(ctx);
  const link = await readSignInToken(ctx, token);
  if (!link.ok) {
    return { state: "invalid", message: link.reason === "expired" ? EXPIRED_SIGN_IN : INVALID_SIGN_IN };
  }
  const [member] = await ctx.db
    .select({ email: members.email })
    .from(members)
    .where(and(eq(members.id, link.memberId), eq(members.stamp, link.stamp)));
  return member ? { state: "ready", ...member } : { state: "invalid", message: INVALID_SIGN_IN };
}

/**
 * The account of a session's token; null for a visitor who is not signed in.
 * @throws `not_found` while members' accounts are switched off
 */
export async function readAccount(ctx: Context, token: string | undefined): Promise<MemberAccount | null> {
  const site = await requireAccounts(ctx);
  const member = await findMember(ctx, token);
  if (!member) return null;
  const { email, tier, source, since, until, description, price } = member;
  const [passkeys, devices, subscription, feed, topics] = await Promise.all([
    listMemberPasskeys(ctx, member),
    listDevices(ctx, member),
    readSubscription(ctx, email),
    readMemberFeed(ctx, site, member),
    selectTopics(ctx),
  ]);
  const letters = lettersOf(ctx, subscription);
  return {
    email,
    membership: {
      tier,
      source,
      since: since.getTime(),
      until: until?.getTime() ?? null,
      state: stateOf(member, ctx.now),
      description,
      price,
    },
    letters: {
      state: letters,
      consent: site.features.newsletter && letters === "off" ? ACCOUNT_CONSENT : null,
      offer:
        letters === "on" || letters === "paused" ? offerTo(topics, subscription?.topicIds ?? null) : null,
    },
    feed,
    passkeys,
    devices,
  };
}

/**
 * The address of the member's private feed as a QR code, SVG.
 * @throws `unauthenticated`; `not_found` without one
 */
export async function readFeedQrCode(ctx: Context, token: string | undefined) {
  const site = await requireAccounts(ctx);
  const feed = await readMemberFeed(ctx, site, await requireMember(ctx, token));
  if (!feed?.url) throw noFeed();
  return renderSVG(feed.url, { ecc: "M", border: 4 });
}

type Subscription = Awaited<ReturnType<typeof readSubscription>>;

function lettersOf(ctx: Context, subscription: Subscription): MemberAccount["letters"]["state"] {
  if (subscription?.state === "complained") return "blocked";
  if (subscription?.state !== "confirmed") return "off";
  return runningPause(ctx, subscription) === null ? "on" : "paused";
}
