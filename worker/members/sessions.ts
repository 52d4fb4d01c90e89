import { and, desc, eq, gt, lte, ne, or, sql, type SQL } from "drizzle-orm";
import { deviceOf } from "#worker/accounts/queries.ts";
import type { MemberDevice } from "#worker/members/contract.ts";
import { memberColumns } from "#worker/members/owner-queries.ts";
import { memberSessions, members, tiers } from "#worker/members/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { insertIf } from "#worker/platform/data/insert-if.ts";
import { randomToken, sha256 } from "#worker/platform/data/random.ts";
import { AppError } from "#worker/platform/errors.ts";

const DAY = 86_400_000;
/** Milliseconds after its last use at which a member's session expires. */
const MAX_IDLE_MS = 60 * DAY;
/** Milliseconds after the sign-in at which it expires in any case. */
export const MAX_MEMBER_SESSION_MS = 180 * DAY;
/** Milliseconds between two writes of when it was last used. */
const SEEN_AFTER_MS = DAY;
/** Milliseconds for which a sign-in is recent enough to add or remove a passkey. */
const RECENT_MS = 10 * 60_000;
/** Sessions of one member; the one that was used the longest ago ends. */
export const MOST_DEVICES = 20;

const ago = ({ now }: Context, milliseconds: number) => new Date(now.getTime() - milliseconds);

/** SQL: the session has not expired. */
const isOpen = (ctx: Context) =>
  and(
    gt(memberSessions.createdAt, ago(ctx, MAX_MEMBER_SESSION_MS)),
    gt(memberSessions.seenAt, ago(ctx, MAX_IDLE_MS)),
  );

export type SignedInMember = NonNullable<Awaited<ReturnType<typeof findMember>>>;

/** The member of a session's token; null without one, for a session that has ended, and for a member who was deleted. */
export async function findMember(ctx: Context, token: string | undefined) {
  if (!token) return null;
  const id = await sha256(token);
  const [found] = await ctx.db
    .select({
      ...memberColumns,
      description: tiers.description,
      price: tiers.price,
      feedSeed: members.feedSeed,
      feedHash: members.feedHash,
      sessionId: memberSessions.id,
      seenAt: memberSessions.seenAt,
      signedInAt: memberSessions.createdAt,
    })
    .from(memberSessions)
    .innerJoin(members, eq(members.id, memberSessions.memberId))
    .innerJoin(tiers, eq(tiers.id, members.tierId))
    .where(and(eq(memberSessions.id, id), isOpen(ctx)));
  if (!found) return null;
  if (found.seenAt <= ago(ctx, SEEN_AFTER_MS)) ctx.later(markSeen(ctx, id));
  return found;
}

/** @throws `unauthenticated` */
export async function requireMember(ctx: Context, token: string | undefined): Promise<SignedInMember> {
  const member = await findMember(ctx, token);
  if (!member) throw new AppError("unauthenticated", "Please sign in.");
  return member;
}

/** Whether the member has signed in a short while ago: a stolen session must not add a key that outlives it. */
export const isRecent = (ctx: Context, { signedInAt }: Pick<SignedInMember, "signedInAt">) =>
  signedInAt >= ago(ctx, RECENT_MS);

/** @throws `unauthenticated`; `reauthentication_required` if the sign-in is not recent */
export async function requireRecentMember(ctx: Context, token: string | undefined) {
  const member = await requireMember(ctx, token);
  if (!isRecent(ctx, member))
    throw new AppError("reauthentication_required", "Sign in again, then try again.");
  return member;
}

/**
 * The token of a new session, and the statements that open it if `provided` is true, end the session that this browser had
 * before, and those beyond `MOST_DEVICES`.
 */
export async function openingOf(
  ctx: Context,
  memberId: number,
  { provided, replaced = "" }: { provided: SQL; replaced?: string | undefined },
) {
  const token = randomToken();
  const [id, before] = await Promise.all([sha256(token), sha256(replaced)]);
  const session = { id, memberId, userAgent: ctx.client.userAgent, createdAt: ctx.now, seenAt: ctx.now };
  const isNew = sql`exists (select 1 from ${memberSessions} where ${memberSessions.id} = ${id})`;
  const statements = [
    insertIf(ctx, memberSessions, session, provided),
    ctx.db.delete(memberSessions).where(and(eq(memberSessions.id, before), isNew)),
    endOldest(ctx, memberId, id),
  ] as const;
  return { token, statements };
}

const markSeen = async ({ db, now }: Context, id: string) =>
  void (await db.update(memberSessions).set({ seenAt: now }).where(eq(memberSessions.id, id)));

/** Where a member is signed in, the latest first. */
export async function listDevices(
  ctx: Context,
  { id, sessionId }: Pick<SignedInMember, "id" | "sessionId">,
): Promise<MemberDevice[]> {
  const rows = await ctx.db
    .select()
    .from(memberSessions)
    .where(and(eq(memberSessions.memberId, id), isOpen(ctx)))
    .orderBy(desc(memberSessions.seenAt))
    .limit(MOST_DEVICES);
  return rows.map((row) => ({
    id: row.id,
    device: deviceOf(row.userAgent),
    isCurrent: row.id === sessionId,
    seenAt: row.seenAt.getTime(),
  }));
}

/** The statement that ends the member's sessions beyond `MOST_DEVICES`, but not this one. */
const endOldest = ({ db }: Context, memberId: number, id: string) =>
  db.delete(memberSessions).where(
    and(
      eq(memberSessions.memberId, memberId),
      ne(memberSessions.id, id),
      sql`${memberSessions.id} not in (select id from ${memberSessions}
        where member_id = ${memberId} order by seen_at desc, created_at desc limit ${MOST_DEVICES})`,
    ),
  );

/** Deletes sessions that have expired. */
export async function pruneMemberSessions(ctx: Context) {
  await ctx.db
    .delete(memberSessions)
    .where(
      or(
        lte(memberSessions.createdAt, ago(ctx, MAX_MEMBER_SESSION_MS)),
        lte(memberSessions.seenAt, ago(ctx, MAX_IDLE_MS)),
      ),
    );
}
