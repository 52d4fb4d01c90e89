import { sql, type SQL } from "drizzle-orm";
import type { Question } from "#worker/letters/contract.ts";
import { letterAnswers, letters } from "#worker/letters/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** The statement that begins the counts of a letter's answers, if the batch starts its sending. */
export const answersOf = ({ db }: Context, letterId: number, { answers }: Question, isStarted: SQL) =>
  db
    .insert(letterAnswers)
    .select(sql`select ${letterId}, key + 1, 0 from json_each(${JSON.stringify(answers)}) where ${isStarted}`)
    .onConflictDoNothing();

/** SQL: how often each answer to the letter's question was chosen, in their order, as JSON. */
export const votesOf = sql<string>`(select json_group_array(votes order by position) from ${letterAnswers}
  where letter_id = ${letters.id})`;
