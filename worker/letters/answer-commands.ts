import { and, eq, exists, gt, inArray, isNotNull, lte, sql, type SQL } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { readAnswerToken } from "#worker/letters/answer-tokens.ts";
import { AnswerInput, INVALID_ANSWER_LINK, type EditableLetter } from "#worker/letters/contract.ts";
import { readLetterRow, toEditable } from "#worker/letters/queries.ts";
import { deliveries, letterAnswers, letters } from "#worker/letters/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { deleteInBatches } from "#worker/platform/data/prune.ts";
import { AppError } from "#worker/platform/errors.ts";

/**
 * Stores a reader's answer to a letter's question, and counts it; a later answer replaces the earlier one.
 * @throws `invalid`, also for a link that is not valid and an answer that the question does not have; `not_found` for a
 * subscriber who was deleted; `conflict` once the question has ended
 */
export async function answerQuestion(ctx: Context, input: AnswerInput) {
  const { token, answer } = parseInput(AnswerInput, input);
  const link = await readAnswerToken(ctx, token);
  if (link === null) throw new AppError("invalid", INVALID_ANSWER_LINK, { field: "token" });
  const { subscriberId, letterId } = link;
  const choice = Number(answer);
  const isTheirs = and(eq(deliveries.subscriberId, subscriberId), eq(deliveries.letterId, letterId));
  const isAnswer = sql`exists (select 1 from ${letterAnswers}
    where letter_id = ${letterId} and position = ${choice})`;
  const isOpen = sql`exists (select 1 from ${letters}
    where ${letters.id} = ${letterId} and ${letters.questionClosesAt} > ${ctx.now.getTime()})`;
  const former = sql`(select choice from ${deliveries} where ${isTheirs})`;
  const isAsked = exists(ctx.db.select({ id: deliveries.id }).from(deliveries).where(isTheirs));
  const count = ctx.db
    .update(letterAnswers)
    .set({
      votes: sql`${letterAnswers.votes} + (${letterAnswers.position} = ${choice}) - (${letterAnswers.position} is ${former})`,
    })
    .where(and(eq(letterAnswers.letterId, letterId), isAsked, isAnswer, isOpen));
  const choose = ctx.db
    .update(deliveries)
    .set({ choice })
    .where(and(isTheirs, isAnswer, isOpen))
    .returning({ id: deliveries.id });
  const [, [chosen]] = await ctx.db.batch([count, choose]);
  if (!chosen) throw await whyNotCounted(ctx, { isTheirs, isOpen });
}

async function whyNotCounted(
  { db }: Context,
  { isTheirs, isOpen }: { isTheirs: SQL | undefined; isOpen: SQL },
) {
  const [asked] = await db
    .select({ isOpen: sql<number>`${isOpen}` })
    .from(deliveries)
    .where(isTheirs);
  if (!asked) return new AppError("not_found", "This subscription is deleted, and so is its answer.");
  if (!asked.isOpen) return new AppError("conflict", "This question is closed.");
  return new AppError("invalid", "Choose an answer.", { field: "answer" });
}

/**
 * Ends the question of a sent letter, for good. Individual answers are deleted within a day; the counts stay.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` for a letter without an open question
 */
export async function closeQuestion(ctx: Context, id: number): Promise<EditableLetter> {
  requireCapability("audience", ctx);
  const [closed] = await ctx.db
    .update(letters)
    .set({ questionClosesAt: ctx.now })
    .where(and(eq(letters.id, id), gt(letters.questionClosesAt, ctx.now)))
    .returning();
  if (closed) return toEditable(closed);
  await readLetterRow(ctx, id);
  throw new AppError("conflict", "This letter has no open question.");
}

/** Deletes the individual answers to questions that have ended. */
export async function forgetChoices({ db, now }: Context) {
  const past = db
    .select({ id: deliveries.id })
    .from(letters)
    .innerJoin(deliveries, eq(deliveries.letterId, letters.id))
    .where(and(lte(letters.questionClosesAt, now), isNotNull(deliveries.choice)));
  await deleteInBatches((limit) =>
    db
      .update(deliveries)
      .set({ choice: null })
      .where(inArray(deliveries.id, past.limit(limit))),
  );
}
