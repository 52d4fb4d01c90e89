import { eq, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { shortList } from "#worker/nouns/short-list.ts";
import type { Context } from "#worker/platform/context.ts";
import { wholeList } from "#worker/platform/data/keyset.ts";
import { placeAtEnd, readPlaceAtEnd } from "#worker/platform/data/order.ts";
import { AppError } from "#worker/platform/errors.ts";
import {
  MOST_TOPICS,
  NewTopic,
  TopicChange,
  topicDefaults,
  type TopicInput,
  type TopicRow,
} from "#worker/topics/contract.ts";
import { inOrder } from "#worker/topics/queries.ts";
import { topics } from "#worker/topics/table.ts";

/** SQL, for a `with`: how many confirmed subscribers chose each topic. Reads those who chose some. */
const choices = sql`(select chosen.value as topic, count(*) as people
  from subscribers, json_each(subscribers.topic_ids) as chosen
  where subscribers.topic_ids is not null and subscribers.state = 'confirmed' group by chosen.value)`;

/**
 * Every topic, in the owner's order. There are at most `MOST_TOPICS`, so there is one page.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listTopics(ctx: Context) {
  requireCapability("audience", ctx);
  const rows: TopicRow[] = await ctx.db
    .select({
      id: topics.id,
      name: topics.name,
      description: topics.description,
      isOffered: topics.isOffered,
      sortOrder: topics.sortOrder,
      chosenBy: sql<number>`coalesce(choices.people, 0)`,
    })
    .from(topics)
    .leftJoin(sql`${choices} as choices`, sql`choices.topic = ${topics.id}`)
    .orderBy(...inOrder);
  return wholeList(rows);
}

/**
 * The names of all topics, in the owner's order, for whom a letter is to.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listTopicNames(ctx: Context) {
  requireCapability("audience", ctx);
  return ctx.db
    .select({ id: topics.id, name: topics.name, isOffered: topics.isOffered })
    .from(topics)
    .orderBy(...inOrder);
}

/**
 * The initial values of a new topic's form.
 * @throws `unauthenticated`, `forbidden`
 */
export async function readNewTopic(ctx: Context): Promise<TopicInput> {
  requireCapability("audience", ctx);
  return { name: "", ...topicDefaults, sortOrder: await readPlaceAtEnd(ctx, topics) };
}

export const topicList = shortList({
  table: topics,
  one: "topic",
  capability: "audience",
  tag: "topics",
  limit: { most: MOST_TOPICS, noun: "topics" },
  New: NewTopic,
  Change: TopicChange,
  defaults: { ...topicDefaults, sortOrder: placeAtEnd(topics) },
  toEdited: (_ctx, values) => ({ values }),
});

export const readTopicForEdit = topicList.readForEdit;

/** @throws `not_found` */
export async function readTopicName({ db }: Context, id: number) {
  const [row] = await db.select({ name: topics.name }).from(topics).where(eq(topics.id, id));
  if (!row) throw new AppError("not_found", "There is no such topic.");
  return row.name;
}
