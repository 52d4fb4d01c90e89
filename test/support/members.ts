import { sql } from "drizzle-orm";
import { memberCookieOf } from "#worker/accounts/cookie.ts";
import type { Mail } from "#worker/mail/message.ts";
import { requestSignIn, signInMember } from "#worker/members/account/commands.ts";
import { readAccount } from "#worker/members/account/queries.ts";
import { makeMemberFeed } from "#worker/members/feed/commands.ts";
import type { NewMember } from "#worker/members/contract.ts";
import { createMember } from "#worker/members/owner-commands.ts";
import { createTier } from "#worker/members/tier-commands.ts";
import { listTiers } from "#worker/members/tier-queries.ts";
import { outbox } from "#worker/platform/table.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { jobContext, ownerContext, SITE } from "./client.ts";
import { jobs, visitorContext } from "./newsletter.ts";
import { deliverAll } from "./outbox.ts";
import { anAddress } from "./people.ts";

/** The id of a new tier. */
export const aTier = async (name = `Tier ${crypto.randomUUID()}`) =>
  (await createTier(ownerContext(), { name })).id;

/** The id of the first tier; of a new one if there is none. */
export async function anyTier() {
  const { items } = await listTiers(ownerContext());
  return items[0]?.id ?? aTier();
}

/** Makes room: there are at most `MOST_TIERS`. */
export const deleteUnusedTiers = () =>
  jobContext().db.run(sql`delete from tiers where id not in (select tier_id from members)`);

/** A new member, added by hand. */
export async function aMember({ email = anAddress(), ...membership }: Partial<NewMember> = {}) {
  const tierId = membership.tierId ?? (await anyTier());
  return createMember(ownerContext(), { email, source: "by-hand", ...membership, tierId });
}

/** Switches members' accounts on or off. */
export const setAccounts = (signIn: boolean) => updateSite(ownerContext(), { members: { signIn } });

/** Asks for a link, and returns its token. */
export async function linkFor(email: string, now = new Date()) {
  await requestSignIn(visitorContext({ jobs, now }), { email });
  await deliverAll(jobContext({ jobs, now }));
  const { db } = jobContext();
  const rows = await db
    .select({ payload: outbox.payload })
    .from(outbox)
    .where(sql`${outbox.payload} ->> '$.to' = ${email}`)
    .orderBy(sql`rowid desc`)
    .limit(1);
  const { link } = rows[0]!.payload as Mail;
  return new URL(link).searchParams.get("token")!;
}

/** A member who is signed in, and the cookie of their browser. */
export async function aSignedInMember(membership: Partial<NewMember> = {}) {
  const member = await aMember(membership);
  const token = await signInMember(visitorContext({ jobs }), { token: await linkFor(member.email) });
  return { ...member, token, cookie: `${memberCookieOf(SITE).name}=${token}` };
}

/** Switches private feeds on, with members' accounts, or off. */
export const setFeeds = (on: boolean, graceDays = 3) =>
  updateSite(ownerContext(), { members: { signIn: true }, memberFeeds: { on, graceDays } });

/** A signed-in member with a private feed, and its path. */
export async function aMemberWithFeed(membership: Partial<NewMember> = {}) {
  const member = await aSignedInMember(membership);
  await makeMemberFeed(visitorContext({ jobs }), member.token);
  return { ...member, path: await feedOf(member.token) };
}

/** The path of a signed-in member's feed. */
export async function feedOf(token: string) {
  const { feed } = (await readAccount(visitorContext({ jobs }), token))!;
  return new URL(feed!.url!).pathname;
}
