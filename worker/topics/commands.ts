import { and, eq, sql, type SQL } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { isOfAutomaticLetter } from "#worker/automatic-letters/topic-queries.ts";
import { isOfWaitingLetter } from "#worker/letters/topic-queries.ts";
import { forgetTopic } from "#worker/newsletter/forget-topic.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { numberInOrder } from "#worker/platform/data/order.ts";
import { refusingTaken } from "#worker/platform/data/publishing.ts";
import { AppError } from "#worker/platform/errors.ts";
import { TopicOrder, type NewTopic, type TopicChange } from "#worker/topics/contract.ts";
import { listTopics, readTopicName, topicList } from "#worker/topics/owner-queries.ts";
import { topics } from "#worker/topics/table.ts";

const refusingTakenName = <T>(write: () => Promise<T>) =>
  refusingTaken("topics.name", "There is a topic with this name.", write);

/**
 * Creates a topic. Subscribers who chose topics before get none of its letters until they choose it, too. Idempotent by
 * `draftKey`: a repeated request changes the same one.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `conflict` for a name in use, or when there are too many
 */
export const createTopic = (ctx: Context, input: NewTopic) =>
  refusingTakenName(() => topicList.create(ctx, input));

/**
 * Changes the given fields.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid`; `conflict` for a name in use, or when it was changed elsewhere
 * since `basedOn`
 */
export const updateTopic = (ctx: Context, id: number, input: TopicChange) =>
  refusingTakenName(() => topicList.update(ctx, id, input));

/**
 * Deletes a topic for good, also from the choices of subscribers. A draft with it then goes to no one.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` while a letter on it is scheduled or being sent, and for an
 * automatic letter's
 */
export async function deleteTopic(ctx: Context, id: number) {
  requireCapability("audience", ctx);
  const isFree = sql`not ${isOfWaitingLetter(id)} and not ${isOfAutomaticLetter(id)}`;
  const remove = ctx.db
    .delete(topics)
    .where(and(eq(topics.id, id), isFree))
    .returning({ id: topics.id });
  // Their number must not come back with a later topic: they have not chosen that one.
  const forget = forgetTopic(ctx, id, sql`not exists (select 1 from ${topics} where ${topics.id} = ${id})`);
  const [[deleted]] = await ctx.db.batch([remove, forget]);
  if (deleted) return;
  throw inUse(
    await readTopicName(ctx, id),
    (await isTrue(ctx, isOfAutomaticLetter(id))) ? AUTOMATIC : AWAITED,
  );
}

async function isTrue({ db }: Context, condition: SQL) {
  const [row] = await db.all<{ is: number }>(sql`select ${condition} as "is"`);
  return row!.is === 1;
}

const AUTOMATIC = "An automatic letter has this topic. Give it another one first.";
const AWAITED = "A letter on this topic is scheduled or being sent. Wait until it is sent, or cancel it.";
const inUse = (name: string, why: string) => new AppError("conflict", `“${name}” can’t be deleted. ${why}`);

/**
 * Numbers the topics from 1 in the given order.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `conflict` if topics were added or deleted in between
 */
export async function reorderTopics(ctx: Context, input: TopicOrder) {
  requireCapability("audience", ctx);
  const { ids } = parseInput(TopicOrder, input);
  return numberInOrder(ctx, { table: topics, noun: "topics", tag: "topics", ids }, listTopics);
}
