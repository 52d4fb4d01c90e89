import { sql } from "drizzle-orm";
import { letters } from "#worker/letters/table.ts";

/** SQL: the topic of a letter; null for none. */
export const topicOfLetter = (id: number | null) =>
  sql<number | null>`(select ${letters.segment} ->> 'topic' from ${letters} where ${letters.id} = ${id})`;

/** SQL: a letter that will still be sent has the topic. */
export const isOfWaitingLetter = (topicId: number) => sql`exists (select 1 from ${letters}
  where ${letters.status} in ('scheduled', 'sending', 'paused') and ${letters.segment} ->> 'topic' = ${topicId})`;
