import { sql, type SQL } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";

/**
 * Roles that need a second factor: docs/decisions/0092-second-factor.md. Until the grace of a user ends who has none, they
 * see a notice; then their role is that of `user`, which may only open their own account, until they set one up.
 */

const DAY = 86_400_000;

/** SQL on a row of `users`. */
const hasApp = sql`exists (select 1 from second_factors where user_id = users.id and enabled_at is not null)`;
const hasPasskey = sql`exists (select 1 from passkeys where user_id = users.id)`;

/** SQL on a row of `users`: whether there is a second factor. */
export const hasSecondFactor = sql<number>`(${hasApp} or ${hasPasskey})`;

/** SQL on a row of `users`: when the grace of its role ends; null if the role needs none. Later users have it from their start. */
const graceEnd = sql<
  number | null
>`(select max(factor_rules.since, users.created_at) + factor_rules.grace_days * ${sql.raw(String(DAY))}
  from factor_rules where factor_rules.role = users.role)`;

/** The same, if the second factor is missing; null if nothing is. */
export const factorDueAt = sql<number | null>`iif(${hasSecondFactor}, null, ${graceEnd})`;

/**
 * SQL on a row of `users`: the role needs a second factor, and a passkey is the only one. The password alone then signs in no
 * longer, and a reset by mail leaves the passkey.
 */
export const hangsOnPasskey = ({ now }: Pick<Context, "now">): SQL<number> =>
  sql`(${graceEnd} <= ${now.getTime()} and ${hasPasskey} and not ${hasApp})`;

/**
 * SQL on a row of `users`: when the password alone ceases to sign in: 0 with an app, the end of the grace with a passkey only;
 * null if it does not cease.
 */
export const passwordEndsAt = sql<number | null>`iif(${hasApp}, 0, iif(${hasPasskey}, ${graceEnd}, null))`;

type Strength = { provedFactor: boolean; passwordEndsAt: number | null };

/** Whether a session counts: one that the password alone has opened, as long as the password alone signs in. */
export const isStrongEnough = (
  { now }: Pick<Context, "now">,
  { provedFactor, passwordEndsAt: end }: Strength,
) => provedFactor || end === null || end > now.getTime();

type Row = { role: string; dueAt: number | null };

/** What an actor has of a missing second factor, and the role that it leaves. */
export function effectiveRole({ now }: Pick<Context, "now">, { role, dueAt }: Row) {
  if (dueAt === null) return { role };
  const isDue = dueAt <= now.getTime();
  return { role: isDue ? "user" : role, missingFactor: { dueAt, isDue } };
}
