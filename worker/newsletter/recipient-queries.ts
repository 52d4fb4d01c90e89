import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { Segment } from "#worker/letters/contract.ts";
import { hasTier } from "#worker/members/owner-queries.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { getsTopic } from "#worker/topics/choices.ts";

/** SQL: a letter may go to the subscriber of the row now. */
const mayReceive = ({ now }: Pick<Context, "now">) => sql`${subscribers.status} = 'active'
  and ${subscribers.verifiedAt} is not null
  and (${subscribers.pausedUntil} is null or ${subscribers.pausedUntil} <= ${now.getTime()})`;

/** SQL: a value is in a list. */
const isOneOf = (value: SQLWrapper, list: string[]) =>
  sql`${value} in (select value from json_each(${JSON.stringify(list)}))`;

/** SQL: the conditions of a segment. Its topic is never one of several of which any suffices: it is what they consented to. */
function isIn({ now }: Pick<Context, "now">, { topic, match, sources, tiers, since, until }: Segment) {
  const dates = [
    since !== null && sql`${subscribers.subscribedAt} >= ${since}`,
    until !== null && sql`${subscribers.subscribedAt} < ${until}`,
  ].filter((rule) => rule !== false);
  const rules = [
    sources.length > 0 && isOneOf(subscribers.source, sources),
    tiers.length > 0 && hasTier(subscribers.email, now, tiers),
    dates.length > 0 && sql`(${sql.join(dates, sql` and `)})`,
  ].filter((rule) => rule !== false);
  return sql.join([
    ...(topic === null ? [] : [sql` and ${getsTopic(sql`${topic}`)}`]),
    ...(rules.length === 0 ? [] : [sql` and (${sql.join(rules, match === "any" ? sql` or ` : sql` and `)})`]),
  ]);
}

/** SQL: the ids of a segment's current recipients, as `id`. */
export const recipientIds = (ctx: Pick<Context, "now">, segment: Segment) =>
  sql`select ${subscribers.id} as id from ${subscribers} where ${mayReceive(ctx)} ${isIn(ctx, segment)}`;

/** SQL: the address of a subscriber; null if they may no longer receive letters, or those on this topic. */
export const addressToMail = (ctx: Pick<Context, "now">, subscriberId: SQL, topicId: SQL) =>
  sql`(select ${subscribers.email} from ${subscribers}
    where ${subscribers.id} = ${subscriberId} and ${mayReceive(ctx)} and ${getsTopic(topicId)})`;

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
