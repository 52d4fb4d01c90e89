import { eq } from "drizzle-orm";
import type { MemberFeed } from "#worker/members/contract.ts";
import { feedPathOf, noFeed } from "#worker/members/feed/template.ts";
import { feedHashOf, feedSigner } from "#worker/members/feed/tokens.ts";
import type { SignedInMember } from "#worker/members/sessions.ts";
import { members } from "#worker/members/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { prepared } from "#worker/platform/data/prepared.ts";
import { AppError } from "#worker/platform/errors.ts";
import { refuseBurst } from "#worker/platform/http/rate.ts";
import { readSite } from "#worker/settings/queries.ts";
import type { Site } from "#worker/settings/contract.ts";

const DAY = 86_400_000;

type Membership = { since: Date; until: Date | null };

/** Whether a membership opens its feed: it runs, or ended less than the days of grace ago. */
export const opensFeed = ({ since, until }: Membership, now: Date, graceDays: number) =>
  since <= now && (until === null || now.getTime() < until.getTime() + graceDays * DAY);

/** All from one row of one table. */
const selectFeed = prepared(["hash"], (db, { hash }) =>
  db
    .select({ hash: members.feedHash, since: members.since, until: members.until })
    .from(members)
    .where(eq(members.feedHash, hash)),
);

/** The membership of a feed's token, and the feed's hash; undefined if no feed has this token. Reads one row. */
export async function findFeed(ctx: Context, token: string) {
  const hash = await feedHashOf(token);
  if (hash === null) return undefined;
  const [row] = await selectFeed(ctx, { hash });
  return row && { ...row, hash };
}

/** The same refusal for an address that never was one, that was replaced or revoked, and whose membership has ended. */
export async function refuseFeed(ctx: Context): Promise<AppError> {
  await refuseBurst(ctx, "member-feed");
  return noFeed();
}

export type AudioAddress = { feed: string; signature: string; key: string };

/**
 * Checks an address of audio, and returns what signs another one of the same feed.
 * @throws `not_found` as for a missing file; `too_many` after a burst of such
 */
export async function requireMemberAudio(ctx: Context, { feed, signature, key }: AudioAddress) {
  const [rows, signer, site] = await Promise.all([
    selectFeed(ctx, { hash: feed }),
    feedSigner(ctx),
    readSite(ctx),
  ]);
  const [row] = rows;
  const isOpen = row && areFeedsOn(site) && opensFeed(row, ctx.now, site.memberFeeds.graceDays);
  if (!isOpen || !signer.isSignature(signature, feed, key)) {
    await refuseBurst(ctx, "member-feed");
    throw new AppError("not_found", "There is no such file.");
  }
  return signer;
}

export const areFeedsOn = ({ memberFeeds, members: { signIn } }: Pick<Site, "memberFeeds" | "members">) =>
  memberFeeds.on && signIn;

/** The private feed as its member sees it; null while private feeds are switched off. */
export async function readMemberFeed(
  ctx: Context,
  site: Site,
  member: SignedInMember,
): Promise<MemberFeed | null> {
  if (!areFeedsOn(site)) return null;
  return {
    isOpen: opensFeed(member, ctx.now, site.memberFeeds.graceDays),
    madeAt: member.feedMadeAt?.getTime() ?? null,
    url: await urlOf(ctx, member),
  };
}

async function urlOf(ctx: Context, { feedSeed, feedHash }: SignedInMember) {
  if (feedSeed === null) return null;
  const token = (await feedSigner(ctx)).tokenOf(feedSeed);
  return (await feedHashOf(token)) === feedHash ? ctx.config.siteUrl + feedPathOf(token) : null;
}
