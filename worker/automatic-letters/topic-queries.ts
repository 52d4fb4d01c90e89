import { sql } from "drizzle-orm";
import { automaticLetters } from "#worker/automatic-letters/table.ts";

/** SQL: an automatic letter has the topic. */
export const isOfAutomaticLetter = (topicId: number) => sql`exists (select 1 from ${automaticLetters}
  where ${automaticLetters.segment} ->> 'topic' = ${topicId})`;
