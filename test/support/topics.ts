import { createTopic } from "#worker/topics/commands.ts";
import type { NewTopic } from "#worker/topics/contract.ts";
import { topics } from "#worker/topics/table.ts";
import { jobContext, ownerContext } from "./client.ts";

/** The id of a new topic. */
export const aTopic = async ({ name = `Topic ${crypto.randomUUID()}`, ...topic }: Partial<NewTopic> = {}) =>
  (await createTopic(ownerContext(), { name, ...topic })).id;

/** Makes room: there are at most `MOST_TOPICS`. */
export const deleteTopics = () => jobContext().db.delete(topics);
