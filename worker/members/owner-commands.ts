import { and, eq, ne, sql } from "drizzle-orm";
import { requireCapability, requireRecentProof } from "#worker/access/capabilities.ts";
import { actorEmail, eventRow, eventRowIf, throwUnless } from "#worker/accounts/audit-log.ts";
import { ENDS_BEFORE, MemberChange, NewMember, type Member } from "#worker/members/contract.ts";
import { forgetMembers } from "#worker/members/forget-members.ts";
import { noSuchMember, readMember, selectMembers, toMember } from "#worker/members/owner-queries.ts";
import { members, tiers } from "#worker/members/table.ts";
import { isTier } from "#worker/members/tier-queries.ts";
import { readAddress } from "#worker/newsletter/addresses.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { randomToken } from "#worker/platform/data/random.ts";
import { laterThan } from "#worker/platform/data/publishing.ts";
import { isRepeated } from "#worker/platform/data/versions.ts";
import { AppError } from "#worker/platform/errors.ts";

/**
 * Adds a member by hand. It subscribes the person to nothing, and sends nothing.
 * @throws `unauthenticated`, `forbidden`; `invalid`, also for a tier that does not exist; `conflict` for an address that is a
 * member's
 */
export async function createMember(ctx: Context, input: NewMember): Promise<Member> {
  requireCapability("audience", ctx);
  const { email: typed, since, until = null, ...given } = parseInput(NewMember, input);
  const address = readAddress(typed);
  if ("why" in address) throw new AppError("invalid", address.why, { field: "email" });
  const { email } = address;
  const membership = {
    ...given,
    since: since === undefined ? ctx.now : new Date(since),
    until: until === null ? null : new Date(until),
  };
  requireOrder(membership);
  const isNew = sql`not exists (select 1 from ${members} where ${members.email} = ${email})`;
  const [, , [created]] = await throwUnless(
    () => notAdded(ctx, email),
    () =>
      ctx.db.batch([
        eventRow(
          ctx,
          eventOf(ctx, "member_added", `tier ${given.tierId}`),
          sql`${isNew} and ${isTier(given.tierId)}`,
        ),
        ctx.db
          .insert(members)
          .values({ email, ...membership, stamp: randomToken(), createdAt: ctx.now, updatedAt: ctx.now }),
        selectMembers(ctx).where(eq(members.email, email)),
      ]),
  );
  return toMember(ctx, created!);
}

async function notAdded({ db }: Context, email: string) {
  const isThere = await db.$count(members, eq(members.email, email));
  return isThere
    ? new AppError("conflict", "This address already has a membership.", { field: "email" })
    : noSuchTierGiven();
}

const noSuchTierGiven = () =>
  new AppError("invalid", "This tier was deleted. Choose another one.", { field: "tierId" });

/** @throws `invalid` */
function requireOrder({ since, until }: { since: Date; until: Date | null }) {
  if (until !== null && until <= since) throw new AppError("invalid", ENDS_BEFORE, { field: "until" });
}

/** The log names no member, whose data can be deleted while the log stays. */
const eventOf = (
  ctx: Context,
  kind: "member_added" | "member_changed" | "member_ended" | "member_deleted",
  detail: string,
) => ({ kind, email: actorEmail(ctx), detail }) as const;

/**
 * Changes the given fields.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid`, also for a tier that does not exist and for what payments
 * decide; `conflict` when it was changed elsewhere since `basedOn`
 */
export async function updateMember(ctx: Context, id: number, input: MemberChange): Promise<Member> {
  requireCapability("audience", ctx);
  const { basedOn, since, until, ...given } = parseInput(MemberChange, input);
  const change = {
    ...given,
    ...(since !== undefined && { since: new Date(since) }),
    ...(until !== undefined && { until: until === null ? null : new Date(until) }),
  };
  const [row] = await ctx.db.select().from(members).where(eq(members.id, id));
  if (!row) throw noSuchMember();
  if (isRepeated({ basedOn, stored: row, given: () => change, changedElsewhere })) return readMember(ctx, id);
  const after = { ...row, ...change };
  requireOrder(after);
  requireOwnDecision(row, after);
  const isUnchanged = and(eq(members.id, id), eq(members.updatedAt, row.updatedAt));
  const isThere = sql`exists (select 1 from ${members} where ${isUnchanged})`;
  const [, , [updated]] = await throwUnless(
    async () =>
      (await ctx.db.$count(tiers, eq(tiers.id, after.tierId))) ? changedElsewhere() : noSuchTierGiven(),
    () =>
      ctx.db.batch([
        eventRow(
          ctx,
          eventOf(ctx, "member_changed", `member ${id}, tier ${after.tierId}`),
          sql`${isThere} and ${isTier(after.tierId)}`,
        ),
        ctx.db
          .update(members)
          .set({ ...change, updatedAt: laterThan(row.updatedAt, ctx.now) })
          .where(isUnchanged),
        selectMembers(ctx).where(eq(members.id, id)),
      ]),
  );
  return toMember(ctx, updated!);
}

type Membership = Pick<typeof members.$inferSelect, "source" | "tierId" | "since" | "until">;

/**
 * Stripe decides about a membership that is paid by card: the next notice would undo an owner's change.
 * @throws `invalid`
 */
function requireOwnDecision(before: Membership, after: Membership) {
  if (after.source !== "stripe") return;
  if (before.source !== "stripe")
    throw new AppError("invalid", "Only a payment at Stripe makes a membership paid by card.", {
      field: "source",
    });
  const isSame =
    after.tierId === before.tierId &&
    after.since.getTime() === before.since.getTime() &&
    after.until?.getTime() === before.until?.getTime();
  if (!isSame)
    throw new AppError(
      "invalid",
      "Tier and dates follow the payments at Stripe. To set them yourself, choose another payment.",
      { field: "source" },
    );
}

const changedElsewhere = () =>
  new AppError("conflict", "This membership was changed elsewhere since you opened it.");

/**
 * Ends a membership now. One that has ended is unchanged.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` for one that is paid by card
 */
export async function endMember(ctx: Context, id: number): Promise<Member> {
  requireCapability("audience", ctx);
  const hasNotEnded = and(
    eq(members.id, id),
    ne(members.source, "stripe"),
    sql`(${members.until} is null or ${members.until} > ${ctx.now.getTime()})`,
  );
  const [, , [row]] = await ctx.db.batch([
    eventRowIf(
      ctx,
      eventOf(ctx, "member_ended", `member ${id}`),
      sql`exists (select 1 from ${members} where ${hasNotEnded})`,
    ),
    ctx.db
      .update(members)
      .set({ until: ctx.now, updatedAt: sql`max(${ctx.now.getTime()}, ${members.updatedAt} + 1)` })
      .where(hasNotEnded),
    selectMembers(ctx).where(eq(members.id, id)),
  ]);
  if (!row) throw noSuchMember();
  const member = toMember(ctx, row);
  if (member.source === "stripe" && member.state !== "ended")
    throw new AppError(
      "conflict",
      "This membership is paid by card. Cancel its subscription at Stripe, and it ends here, too.",
    );
  return member;
}

/**
 * Deletes a member for good. Their subscription, if they have one, stays.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `not_found`
 */
export async function deleteMember(ctx: Context, id: number) {
  requireCapability("audience", ctx);
  requireRecentProof(ctx);
  const isIt = sql`${members.id} = ${id}`;
  await throwUnless(noSuchMember, () =>
    ctx.db.batch([
      eventRow(
        ctx,
        eventOf(ctx, "member_deleted", `member ${id}`),
        sql`exists (select 1 from ${members} where ${isIt})`,
      ),
      ...forgetMembers(ctx, isIt),
    ]),
  );
}
