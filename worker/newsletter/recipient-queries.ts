import { sql, type SQL } from "drizzle-orm";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";

/**
 * Which subscribers: of these sources, signed up within these times (milliseconds UTC). Empty and null mean no
 * restriction.
 */
type Segment = { sources: string[]; since: number | null; until: number | null };

/** SQL: a letter may go to the subscriber of the row now. */
const mayReceive = ({ now }: Pick<Context, "now">) => sql`${subscribers.status} = 'active'
  and ${subscribers.verifiedAt} is not null
  and (${subscribers.pausedUntil} is null or ${subscribers.pausedUntil} <= ${now.getTime()})`;

function isIn({ sources, since, until }: Segment) {
  const rules = [
    sources.length > 0 &&
      sql`${subscribers.source} in (select value from json_each(${JSON.stringify(sources)}))`,
    since !== null && sql`${subscribers.subscribedAt} >= ${since}`,
    until !== null && sql`${subscribers.subscribedAt} < ${until}`,
  ].filter((rule) => rule !== false);
  return rules.length > 0 ? sql`and ${sql.join(rules, sql` and `)}` : sql``;
}

/** SQL: the ids of a segment's current recipients, as `id`. */
export const recipientIds = (ctx: Pick<Context, "now">, segment: Segment) =>
  sql`select ${subscribers.id} as id from ${subscribers} where ${mayReceive(ctx)} ${isIn(segment)}`;

/** SQL: the address of a subscriber; null if they may no longer receive letters. */
export const addressToMail = (ctx: Pick<Context, "now">, subscriberId: SQL) =>
  sql`(select ${subscribers.email} from ${subscribers} where ${subscribers.id} = ${subscriberId} and ${mayReceive(ctx)})`;

/** SQL: the address of a subscriber in any state; null if deleted. */
export const subscriberEmail = (subscriberId: SQL) =>
  sql<
    string | null
  >`(select ${subscribers.email} from ${subscribers} where ${subscribers.id} = ${subscriberId})`;

/** SQL: the id of the subscriber with this address; null if there is none. */
export const subscriberIdOf = (email: string) =>
  sql<string | null>`(select ${subscribers.id} from ${subscribers} where ${subscribers.email} = ${email})`;

/** The current number of recipients of a segment. */
export async function countRecipients(ctx: Context, segment: Segment) {
  const [row] = await ctx.db.all<{ count: number }>(
    sql`select count(*) as count from (${recipientIds(ctx, segment)})`,
  );
  return row!.count;
}
