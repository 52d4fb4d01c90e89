import { asc, eq, or } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
import type { Topic, TopicOffer } from "#worker/topics/contract.ts";
import { topics } from "#worker/topics/table.ts";

export const inOrder = [asc(topics.sortOrder), asc(topics.id)];

type ShownTopic = Topic & { isOffered: boolean };

/** Every topic, hidden ones too, in the owner's order. There are at most `MOST_TOPICS`. */
export const selectTopics = ({ db }: Context) =>
  db
    .select({
      id: topics.id,
      name: topics.name,
      description: topics.description,
      isOffered: topics.isOffered,
    })
    .from(topics)
    .orderBy(...inOrder);

/** What a subscriber may choose among: the offered topics, and hidden ones that they chose. */
export function offerTo(all: ShownTopic[], chosen: number[] | null): TopicOffer {
  const shown = all.filter(({ id, isOffered }) => isOffered || chosen?.includes(id));
  return {
    topics: shown.map(({ id, name, description }) => ({ id, name, description })),
    chosen: chosen && shown.flatMap(({ id }) => (chosen.includes(id) ? [id] : [])),
  };
}

/** What a letter says of its topic, and whether subscribers may choose topics. */
export async function readTopicOf({ db }: Context, topicId: number | null) {
  const rows = await db
    .select({ id: topics.id, name: topics.name })
    .from(topics)
    .where(or(eq(topics.isOffered, true), topicId === null ? undefined : eq(topics.id, topicId)));
  return { name: rows.find(({ id }) => id === topicId)?.name ?? null, areOffered: rows.length > 0 };
}
