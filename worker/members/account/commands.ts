import { and, eq, sql } from "drizzle-orm";
import { requireAccounts } from "#worker/members/account/queries.ts";
import {
  EXPIRED_SIGN_IN,
  INVALID_SIGN_IN,
  LetterChoice,
  SignInLink,
  SignInRequest,
} from "#worker/members/contract.ts";
import { forgetMembers } from "#worker/members/forget-members.ts";
import { openingOf, requireMember } from "#worker/members/sessions.ts";
import { MEMBER_SIGN_IN_TOPIC, readSignInToken } from "#worker/members/sign-in-mail.ts";
import { memberSessions, members } from "#worker/members/table.ts";
import { chooseTopicsOf, joinLetters, leaveLetters } from "#worker/newsletter/commands.ts";
import { forgetSubscribersAt } from "#worker/newsletter/forget-subscribers.ts";
import { personJson } from "#worker/people/export.ts";
import { requirePaymentsEnded } from "#worker/payments/offer-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { randomToken, sha256 } from "#worker/platform/data/random.ts";
import { AppError } from "#worker/platform/errors.ts";
import { enforceLimits, perAddress } from "#worker/platform/http/rate.ts";
import { streamOf } from "#worker/platform/http/stream.ts";
import { enqueue, outboxRow } from "#worker/platform/work/outbox.ts";
import { limitsOfDoubt } from "#worker/spam/judge.ts";
import { TopicChoice } from "#worker/topics/contract.ts";

/** To one mailbox. */
const MAILS_AN_HOUR = 30;
/** To one mailbox, asked for by one network address; fewer, so that one stranger cannot use up a member's limit. */
const MAILS_FOR_AN_ADDRESS = 5;
/** From one network address, which may be a whole office. */
const REQUESTS_AN_HOUR = 30;

/**
 * Asks for the link that signs a member in. Writes one outbox row and reads no member, so that neither the answer nor its timing
 * reveals whether the address is a member's. `doubt`: why a program may have sent it.
 * @throws `not_found` while members' accounts are switched off; `invalid`; `too_many`
 */
export async function requestSignIn(ctx: Context, input: SignInRequest, { doubt } = { doubt: "" }) {
  await requireAccounts(ctx);
  const { email } = parseInput(SignInRequest, input);
  await enforceLimits(ctx, [
    ...perAddress(ctx, "member-sign-in", REQUESTS_AN_HOUR),
    ...perAddress(ctx, `member-mail:${email}`, MAILS_FOR_AN_ADDRESS),
    { subject: `member-mail:mailbox:${email}`, most: MAILS_AN_HOUR },
    ...limitsOfDoubt(doubt),
  ]);
  const { id, statement } = outboxRow(ctx, MEMBER_SIGN_IN_TOPIC, { email });
  await statement;
  enqueue(ctx, id);
}

/**
 * Signs a member in by a mailed link, which then no longer works, and ends the session that this browser had before. Returns the
 * token of the session.
 * @throws `not_found` while members' accounts are switched off; `invalid` for a link that has expired or was used
 */
export async function signInMember(ctx: Context, input: SignInLink, replaced?: string) {
  await requireAccounts(ctx);
  const link = await readSignInToken(ctx, parseInput(SignInLink, input).token);
  if (!link.ok) {
    const message = link.reason === "expired" ? EXPIRED_SIGN_IN : INVALID_SIGN_IN;
    throw new AppError("invalid", message, { field: "token" });
  }
  const { memberId, stamp } = link;
  const isUnused = and(eq(members.id, memberId), eq(members.stamp, stamp))!;
  const provided = sql`exists (select 1 from ${members} where ${isUnused})`;
  const { token, statements } = await openingOf(ctx, memberId, { provided, replaced });
  const [, , , [signedIn]] = await ctx.db.batch([
    ...statements,
    ctx.db.update(members).set({ stamp: randomToken() }).where(isUnused).returning({ id: members.id }),
  ]);
  if (!signedIn) throw new AppError("invalid", INVALID_SIGN_IN, { field: "token" });
  return token;
}

/** Signs the member out in this browser. A session that has ended is no error. */
export async function signOutMember(ctx: Context, token: string | undefined) {
  if (token) await ctx.db.delete(memberSessions).where(eq(memberSessions.id, await sha256(token)));
}

/** Signs the member out of all browsers, this one included; links that were mailed before no longer work. @throws `unauthenticated` */
export async function signOutEverywhere(ctx: Context, token: string | undefined) {
  const { id } = await requireMember(ctx, token);
  await ctx.db.batch([
    ctx.db.delete(memberSessions).where(eq(memberSessions.memberId, id)),
    ctx.db.update(members).set({ stamp: randomToken() }).where(eq(members.id, id)),
  ]);
}

/** Signs the member out of one browser. @throws `unauthenticated`; `not_found` */
export async function deleteMemberSession(ctx: Context, token: string | undefined, sessionId: string) {
  const { id } = await requireMember(ctx, token);
  const [ended] = await ctx.db
    .delete(memberSessions)
    .where(and(eq(memberSessions.id, sessionId), eq(memberSessions.memberId, id)))
    .returning({ id: memberSessions.id });
  if (!ended) throw new AppError("not_found", "This device is already signed out.");
}

/**
 * Subscribes the member to letters, or unsubscribes them.
 * @throws `unauthenticated`; `invalid`; for a subscription `too_many`, and `not_found` while the newsletter is switched off
 */
export async function chooseLetters(ctx: Context, token: string | undefined, input: LetterChoice) {
  const { email } = await requireMember(ctx, token);
  const { wanted } = parseInput(LetterChoice, input);
  await (wanted ? joinLetters(ctx, email) : leaveLetters(ctx, email));
}

/**
 * Chooses the topics that the member gets letters on.
 * @throws `unauthenticated`; `invalid`
 */
export async function chooseTopics(ctx: Context, token: string | undefined, input: TopicChoice) {
  const { email } = await requireMember(ctx, token);
  await chooseTopicsOf(ctx, email, parseInput(TopicChoice, input));
}

/**
 * What is stored about the member's membership, letters and comments, as JSON. Messages to the owner are not in it: the owner's
 * notes about them are for the owner.
 * @throws `unauthenticated`
 */
export async function exportAccount(ctx: Context, token: string | undefined) {
  const { email } = await requireMember(ctx, token);
  return streamOf(personJson(ctx, email, ["membership", "subscription", "letters", "comments"]));
}

/**
 * Deletes the membership with all its sessions, and the subscription. Sent letters stay counted, anonymously.
 * @throws `unauthenticated`; `conflict` while it is paid by card and renews
 */
export async function deleteAccount(ctx: Context, token: string | undefined) {
  const { id, email } = await requireMember(ctx, token);
  await requirePaymentsEnded(ctx, id);
  await ctx.db.batch([...forgetMembers(ctx, eq(members.id, id)), ...forgetSubscribersAt(ctx, email)]);
}
