import { and, eq, sql, type SQL } from "drizzle-orm";
import { members } from "#worker/members/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { insertIf } from "#worker/platform/data/insert-if.ts";
import { randomToken } from "#worker/platform/data/random.ts";

type Paid = { email: string; tierId: number; since: Date; until: Date | null };

/**
 * The statement that makes a person who pays a member, if `condition` is true and the address has no membership. It is no consent to
 * letters.
 */
export const addPayingMember = (ctx: Context, { email, ...membership }: Paid, condition: SQL) =>
  insertIf(
    ctx,
    members,
    {
      email,
      ...membership,
      source: "stripe",
      stamp: randomToken(),
      createdAt: ctx.now,
      updatedAt: ctx.now,
    },
    sql`${condition} and not exists (select 1 from ${members} where ${members.email} = ${email})`,
  );

/** SQL: payments say what the membership is. One by hand, or without payment, is theirs once it has ended. */
export const isPaid = ({ now }: Pick<Context, "now">) =>
  sql`(${members.source} = 'stripe' or coalesce(${members.until}, ${Number.MAX_SAFE_INTEGER}) <= ${now.getTime()})`;

/** The statement that sets a membership to what its payments say; each column is SQL. A membership by hand stays as it is. */
export const setPaidMembership = (
  ctx: Context,
  id: SQL,
  { tierId, since, until }: { tierId: SQL; since: SQL; until: SQL },
) =>
  ctx.db
    .update(members)
    .set({
      source: "stripe",
      tierId,
      since,
      until,
      updatedAt: sql`max(${ctx.now.getTime()}, ${members.updatedAt} + 1)`,
    })
    .where(and(sql`${members.id} = ${id}`, isPaid(ctx)));

/** SQL: the id of the member of an address. */
export const memberAt = (email: string) =>
  sql`(select "members"."id" from ${members} where "members"."email" = ${email})`;

/** The member of an address, or by id, and whether payments change the membership. */
export async function findPayingMember(ctx: Context, which: { id: number } | { email: string }) {
  const [found] = await ctx.db
    .select({ id: members.id, isPaid: sql<number>`${isPaid(ctx)}` })
    .from(members)
    .where("id" in which ? eq(members.id, which.id) : eq(members.email, which.email));
  return found && { id: found.id, isPaid: found.isPaid === 1 };
}
