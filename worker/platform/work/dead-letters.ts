import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
import { asNew, enqueueByTopic, type Queues } from "#worker/platform/work/outbox.ts";
import { deadLetters, outbox } from "#worker/platform/table.ts";

/** Failed deliveries: outbox rows after their last attempt, and queue messages that failed all their retries. */

/** SQL: how many of each, up to a limit. */
export const countFailed = (limit: number) => sql<number>`(select count(*) from (
    select 1 from ${outbox} where ${outbox.failedAt} is not null limit ${limit}))
  + (select count(*) from (select 1 from ${deadLetters} limit ${limit}))`;

/** SQL: how many outbox rows of a topic, up to a limit. */
export const countFailedOf = (topic: string, limit: number) => sql<number>`(select count(*) from (
    select 1 from ${outbox} where ${outbox.failedAt} is not null and ${outbox.topic} = ${topic} limit ${limit}))`;

const isFailed = (id: string) => and(eq(outbox.id, id), isNotNull(outbox.failedAt));

/** Retries the row, or every failed row, with all attempts. Returns how many. */
export async function retryFailed(ctx: Context, queues: Queues, id?: string) {
  const rows = await ctx.db
    .update(outbox)
    .set(asNew(ctx.now))
    .where(id === undefined ? isNotNull(outbox.failedAt) : isFailed(id))
    .returning({ id: outbox.id, topic: outbox.topic });
  enqueueByTopic(ctx, queues, rows);
  return rows.length;
}

/**
 * Retries the outbox row of a message, with all attempts if it has failed, and deletes the message. The sweep every
 * minute finds the row if the queue refuses it.
 */
export async function retryRowOf(ctx: Context, queues: Queues, { id, about }: { id: string; about: string }) {
  const [, rows] = await ctx.db.batch([
    ctx.db.update(outbox).set(asNew(ctx.now)).where(isFailed(about)),
    ctx.db.select({ id: outbox.id, topic: outbox.topic }).from(outbox).where(eq(outbox.id, about)),
    ctx.db.delete(deadLetters).where(eq(deadLetters.id, id)),
  ]);
  enqueueByTopic(ctx, queues, rows);
}

/** False when there is no such row. */
export async function deleteFailed({ db }: Context, id: string) {
  const [row] = await db.delete(outbox).where(isFailed(id)).returning({ id: outbox.id });
  return row !== undefined;
}

/** The newest messages, each with the topic of its outbox row if that still exists. */
export const listDeadLetters = ({ db }: Context, limit: number) =>
  db
    .select({
      id: deadLetters.id,
      arrivedAt: deadLetters.arrivedAt,
      topic: outbox.topic,
      attempts: outbox.attempts,
      lastError: outbox.lastError,
    })
    .from(deadLetters)
    .leftJoin(outbox, eq(outbox.id, sql`${deadLetters.body} ->> 'id'`))
    .orderBy(desc(deadLetters.arrivedAt))
    .limit(limit);

/**
 * A message and the id of its outbox row, which an analytics event does not have; undefined if there is no such
 * message.
 */
export async function readDeadLetter({ db }: Context, id: string) {
  const [letter] = await db
    .select({ about: sql<string>`${deadLetters.body} ->> 'id'`, body: deadLetters.body })
    .from(deadLetters)
    .where(eq(deadLetters.id, id));
  return letter;
}

/** False when there is no such message. */
export async function deleteDeadLetter({ db }: Context, id: string) {
  const [letter] = await db
    .delete(deadLetters)
    .where(eq(deadLetters.id, id))
    .returning({ id: deadLetters.id });
  return letter !== undefined;
}
