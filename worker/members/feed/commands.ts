import { and, eq, isNotNull, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { actorEmail, eventRowIf } from "#worker/accounts/audit-log.ts";
import { requireAccounts } from "#worker/members/account/queries.ts";
import { NO_FEED_WITHOUT_MEMBERSHIP, type Member } from "#worker/members/contract.ts";
import { areFeedsOn, opensFeed } from "#worker/members/feed/queries.ts";
import { noFeed } from "#worker/members/feed/template.ts";
import { feedHashOf, feedSigner } from "#worker/members/feed/tokens.ts";
import { noSuchMember, selectMembers, toMember } from "#worker/members/owner-queries.ts";
import { requireMember } from "#worker/members/sessions.ts";
import { members } from "#worker/members/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { randomId } from "#worker/platform/data/random.ts";
import { AppError } from "#worker/platform/errors.ts";

const NONE = { feedSeed: null, feedHash: null, feedMadeAt: null };

/**
 * Makes the address of the member's private feed, or replaces it: the former one is refused from then on.
 * @throws `unauthenticated`; `not_found` while private feeds are switched off; `conflict` if the membership does not run
 */
export async function makeMemberFeed(ctx: Context, token: string | undefined) {
  const site = await requireAccounts(ctx);
  const member = await requireMember(ctx, token);
  if (!areFeedsOn(site)) throw noFeed();
  if (!opensFeed(member, ctx.now, site.memberFeeds.graceDays)) {
    throw new AppError("conflict", NO_FEED_WITHOUT_MEMBERSHIP);
  }
  const feedSeed = randomId();
  const feedHash = await feedHashOf((await feedSigner(ctx)).tokenOf(feedSeed));
  await ctx.db
    .update(members)
    .set({ feedSeed, feedHash, feedMadeAt: ctx.now })
    .where(eq(members.id, member.id));
}

/** Deletes the address of the member's private feed. Without one it changes nothing. @throws `unauthenticated` */
export async function deleteMemberFeed(ctx: Context, token: string | undefined) {
  const { id } = await requireMember(ctx, token);
  await ctx.db.update(members).set(NONE).where(eq(members.id, id));
}

/**
 * The same by the owner. The member can make another address as long as the membership runs.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function revokeMemberFeed(ctx: Context, id: number): Promise<Member> {
  requireCapability("audience", ctx);
  const hasFeed = and(eq(members.id, id), isNotNull(members.feedHash))!;
  const event = {
    kind: "member_feed_revoked",
    email: actorEmail(ctx),
    detail: `member ${id}`,
  } as const;
  const [, , [row]] = await ctx.db.batch([
    eventRowIf(ctx, event, sql`exists (select 1 from ${members} where ${hasFeed})`),
    ctx.db.update(members).set(NONE).where(hasFeed),
    selectMembers(ctx).where(eq(members.id, id)),
  ]);
  if (!row) throw noSuchMember();
  return toMember(ctx, row);
}
