import { and, desc, eq, gt, isNull, lte, ne, or, sql, type SQLWrapper } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Member, MemberListQuery, MemberState } from "#worker/members/contract.ts";
import { stateOf } from "#worker/members/membership-state.ts";
import { members, tiers } from "#worker/members/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { olderThanId, pageOf } from "#worker/platform/data/keyset.ts";
import { AppError } from "#worker/platform/errors.ts";

const LIST_ROWS = 30;

export const memberColumns = {
  id: members.id,
  email: members.email,
  tierId: members.tierId,
  tier: tiers.name,
  source: members.source,
  since: members.since,
  until: members.until,
  feedMadeAt: members.feedMadeAt,
  updatedAt: members.updatedAt,
};

type Row = Omit<Member, "since" | "until" | "feedMadeAt" | "updatedAt" | "state"> & {
  since: Date;
  until: Date | null;
  feedMadeAt: Date | null;
  updatedAt: Date;
};

export const toMember = ({ now }: Pick<Context, "now">, row: Row): Member => ({
  ...row,
  since: row.since.getTime(),
  until: row.until?.getTime() ?? null,
  feedMadeAt: row.feedMadeAt?.getTime() ?? null,
  state: stateOf(row, now),
  updatedAt: row.updatedAt.getTime(),
});

/** The statement that reads members; the caller adds which. */
export const selectMembers = ({ db }: Pick<Context, "db">) =>
  db.select(memberColumns).from(members).innerJoin(tiers, eq(tiers.id, members.tierId));

/**
 * Members, the latest added first. `before` is the previous page's `next`. Reads them in this order until a page is full: of a
 * rare state, all of them.
 * @throws `unauthenticated`, `forbidden`; `not_found` for a malformed cursor
 */
export async function listMembers(
  ctx: Context,
  { q, tier, state, before }: MemberListQuery = {},
): Promise<{ items: Member[]; next: string | null }> {
  requireCapability("audience", ctx);
  const rows = await selectMembers(ctx)
    .where(
      and(
        before === undefined ? undefined : olderThanId(before, members.id),
        tier === undefined ? undefined : eq(members.tierId, tier),
        state && stateIs(ctx.now, state),
        q ? sql`instr(${members.email}, ${q}) > 0` : undefined,
      ),
    )
    .orderBy(desc(members.id))
    .limit(LIST_ROWS + 1);
  const { items, next } = pageOf(rows, LIST_ROWS, ({ id }) => String(id));
  return { items: items.map((row) => toMember(ctx, row)), next };
}

/** SQL: `stateOf` of a row is this. A test compares the two. */
export function stateIs(now: Date, state: MemberState) {
  const { source, since, until } = members;
  const hasNotEnded = or(isNull(until), gt(until, now));
  if (state === "ended") return lte(until, now);
  if (state === "upcoming") return and(hasNotEnded, gt(since, now));
  return and(hasNotEnded, lte(since, now), (state === "free" ? eq : ne)(source, "free"));
}

/**
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readMember(ctx: Context, id: number): Promise<Member> {
  requireCapability("audience", ctx);
  const [row] = await selectMembers(ctx).where(eq(members.id, id));
  if (!row) throw noSuchMember();
  return toMember(ctx, row);
}

export const noSuchMember = () => new AppError("not_found", "There is no such member.");

/** SQL: the membership of an address is of one of these tiers, and runs. */
export const hasTier = (email: SQLWrapper, now: Date, ids: number[]) => sql`exists (select 1 from ${members}
  where ${members.email} = ${email} and ${members.tierId} in (select value from json_each(${JSON.stringify(ids)}))
    and ${or(stateIs(now, "active"), stateIs(now, "free"))})`;
