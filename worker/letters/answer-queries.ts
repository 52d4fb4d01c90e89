import { and, eq, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { votesOf } from "#worker/letters/answer-counts.ts";
import { readAnswerToken } from "#worker/letters/answer-tokens.ts";
import type { AnswerCount, AskedQuestion, Question, QuestionReport } from "#worker/letters/contract.ts";
import { letterNotFound } from "#worker/letters/queries.ts";
import { deliveries, letters } from "#worker/letters/table.ts";
import { subscriberEmail } from "#worker/newsletter/recipient-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { CSV_MARK, csvLines } from "#worker/platform/http/csv.ts";

/** The state of a link to a letter's question. Stores nothing: mail scanners open every link. */
export async function readQuestion(ctx: Context, token: string): Promise<AskedQuestion> {
  const link = await readAnswerToken(ctx, token);
  if (link === null) return { state: "invalid" };
  const [row] = await ctx.db
    .select({
      question: letters.question,
      closesAt: letters.questionClosesAt,
      choice: deliveries.choice,
      email: subscriberEmail(sql`${deliveries.subscriberId}`),
      votes: votesOf,
    })
    .from(deliveries)
    .innerJoin(letters, eq(letters.id, deliveries.letterId))
    .where(and(eq(deliveries.subscriberId, link.subscriberId), eq(deliveries.letterId, link.letterId)));
  if (!row?.question || row.closesAt === null || row.email === null) return { state: "gone" };
  const { question, closesAt, choice } = row;
  const { text, answers, showsResults } = question;
  const results = showsResults ? countsOf(question, row.votes) : null;
  if (closesAt <= ctx.now) return { state: "closed", question: text, results };
  return {
    state: "open",
    question: text,
    answers,
    choice,
    address: masked(row.email),
    closesAt: closesAt.getTime(),
    results: choice === null ? null : results,
  };
}

/** `j***@example.com`: enough for the person, and little for the reader of a forwarded letter. */
const masked = (email: string) => email.replace(/^(.).*@/u, "$1***@");

function countsOf({ answers }: Question, votes: string): AnswerCount[] {
  const counts = JSON.parse(votes) as number[];
  return answers.map((answer, index) => ({ answer, votes: counts[index] ?? 0 }));
}

/**
 * The answers to a sent letter's question; null for a letter without one.
 * @throws `unauthenticated`, `forbidden`
 */
export async function readAnswers(ctx: Context, letterId: number): Promise<QuestionReport | null> {
  requireCapability("audience", ctx);
  const [row] = await ctx.db
    .select({ question: letters.question, closesAt: letters.questionClosesAt, votes: votesOf })
    .from(letters)
    .where(eq(letters.id, letterId));
  if (!row?.question || row.closesAt === null) return null;
  return {
    question: row.question.text,
    isOpen: row.closesAt > ctx.now,
    closesAt: row.closesAt.getTime(),
    answers: countsOf(row.question, row.votes),
  };
}

/**
 * The same as CSV: each answer, how many readers chose it, and their share in percent.
 * @throws `unauthenticated`, `forbidden`; `not_found`, also for a letter without a question
 */
export async function exportAnswers(ctx: Context, letterId: number) {
  const report = await readAnswers(ctx, letterId);
  if (report === null) throw letterNotFound();
  const all = report.answers.reduce((sum, { votes }) => sum + votes, 0);
  const rows = report.answers.map(({ answer, votes }) => [answer, String(votes), shareOf(votes, all)]);
  return CSV_MARK + csvLines([["answer", "readers", "percent"], ...rows]);
}

const shareOf = (votes: number, all: number) =>
  all === 0 ? "0" : String(Math.round((1000 * votes) / all) / 10);
