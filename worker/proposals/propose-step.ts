import { and, eq, sql, type SQL } from "drizzle-orm";
import { ModelError } from "#worker/models/model-error.ts";
import { nextTry } from "#worker/models/next-try.ts";
import type { Context } from "#worker/platform/context.ts";
import { isOverDailyLimit } from "#worker/platform/data/daily-limit.ts";
import { byteLength } from "#worker/platform/text/bytes.ts";
import {
  BusyError,
  enqueue,
  isLastAttempt,
  outboxRowIf,
  RetryError,
  type OutboxRow,
} from "#worker/platform/work/outbox.ts";
import { openModel } from "#worker/proposals/open-model.ts";
import { readPart } from "#worker/proposals/parts.ts";
import { partPrompt, wholePrompt } from "#worker/proposals/prompts.ts";
import { addPart, composeProposals, type Found } from "#worker/proposals/read-answer.ts";
import { proposalRuns, proposals } from "#worker/proposals/table.ts";
import { tokensOf, type Answer, type Prompt } from "#worker/proposals/text-model.ts";

/**
 * A run is a chain of outbox rows, one a step: a part of the transcript is sent to the model, and at the end what all have brought.
 * A step that was interrupted is repeated by the outbox; what it wrote counts only while its number is the run's.
 */
export const PROPOSALS_TOPIC = "proposals";

type Turn = { run: number; step: number };

/** Attempts at a step that were all interrupted, after which it stops: it may be what ends the Worker. */
const MOST_INTERRUPTED = 5;

const OUR_FAULT = "Something went wrong on this site. Continue it, or try again later.";
const INTERRUPTED = "It was interrupted at every attempt. Continue it to try again.";
const NOTHING =
  "The model proposed nothing that is based on the transcript. Try again, or choose another model.";

/** The statement that writes the row of a step, if the condition is true. Send its queue message with `enqueue`. */
export const stepRow = (ctx: Context, turn: Turn | SQL, isDue: SQL) =>
  outboxRowIf(ctx, PROPOSALS_TOPIC, turn, isDue);

type Run = NonNullable<Awaited<ReturnType<typeof readRun>>>;

/** The handler of a step's outbox row. */
export async function takeStep(ctx: Context, payload: unknown, row: OutboxRow) {
  const run = await readRun(ctx, payload as Turn);
  if (!run) return;
  try {
    await continueRun(ctx, run, row);
  } catch (error) {
    if (error instanceof BusyError || error instanceof RetryError) throw error;
    if (isLastAttempt(row) && !isOverDailyLimit(error)) await stop(ctx, run, OUR_FAULT);
    throw error;
  }
}

/** Undefined if the step is done, or the run was discarded. */
async function readRun({ db }: Context, { run: id, step }: Turn) {
  const { state, found, next, model, busyAnswers } = proposalRuns;
  const [run] = await db
    .select({
      id: proposalRuns.id,
      step: proposalRuns.step,
      found,
      next,
      model,
      busyAnswers,
      lasts: sql<number>`coalesce(json_extract(${proposalRuns.cues}, '$[#-1].end'), 0)`,
    })
    .from(proposalRuns)
    .where(and(eq(proposalRuns.id, id), eq(proposalRuns.step, step), eq(state, "running")));
  return run;
}

async function continueRun(ctx: Context, run: Run, row: OutboxRow) {
  if (row.attempts > MOST_INTERRUPTED) return stop(ctx, run, INTERRUPTED);
  try {
    const part = await readPart(ctx, run);
    if (part) {
      const answer = await ask(ctx, run, partPrompt(part));
      const found = addPart(run.found, answer.value, part);
      return await endStep(ctx, run, found, part.from + part.cues.length);
    }
    const answer = run.found.points.length > 0 ? await ask(ctx, run, wholePrompt(run.found)) : null;
    await finish(ctx, run, answer);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    await handle(ctx, run, row, error);
  }
}

/** Tokens are counted before they are sent, so that those of an interrupted step count, too; then as the service counts them. */
async function ask(ctx: Context, run: Run, prompt: Prompt): Promise<Answer> {
  const model = await openModel(ctx, run.model);
  const expected = tokensOf(byteLength(prompt.system + prompt.user));
  await count(ctx, run, expected, 0);
  try {
    const answer = await model.answer(prompt);
    const { inputTokens, outputTokens, value } = answer;
    const output = outputTokens ?? tokensOf(byteLength(JSON.stringify(value)));
    await count(ctx, run, (inputTokens ?? expected) - expected, output);
    return answer;
  } catch (error) {
    // A refusal is free.
    if (error instanceof ModelError && error.failing !== "answer") await count(ctx, run, -expected, 0);
    throw error;
  }
}

const count = ({ db }: Context, { id }: Run, input: number, output: number) =>
  db
    .update(proposalRuns)
    .set({
      inputTokens: sql`max(0, ${proposalRuns.inputTokens} + ${input})`,
      outputTokens: sql`${proposalRuns.outputTokens} + ${output}`,
    })
    .where(eq(proposalRuns.id, id));

async function handle(ctx: Context, run: Run, row: OutboxRow, error: ModelError) {
  const next = nextTry(error, { row, busyAnswers: run.busyAnswers, now: ctx.clock().getTime() });
  if (next.is !== "wait") return stop(ctx, run, next.message);
  const { message: problem, at: retryAt, isBusy } = next;
  await ctx.db
    .update(proposalRuns)
    .set({ problem, retryAt, ...(isBusy && { busyAnswers: run.busyAnswers + 1 }) })
    .where(isRun(run));
  throw next.error;
}

/** SQL: no other consumer has done the step, and the owner has not discarded it. */
const isAt = ({ id, step }: Run) =>
  sql`exists (select 1 from ${proposalRuns} where ${proposalRuns.id} = ${id}
    and ${proposalRuns.step} = ${step} and ${proposalRuns.state} = 'running')`;

const isRun = (run: Run) => and(eq(proposalRuns.id, run.id), isAt(run));

/** A message of the former step then finds nothing to do. */
const atRest = { problem: null, retryAt: null, busyAnswers: 0 };

/** Stores what a part has brought and the row of the next step, all or nothing. */
async function endStep(ctx: Context, run: Run, found: Found, next: number) {
  const { db } = ctx;
  const step = run.step + 1;
  const following = stepRow(ctx, { run: run.id, step }, isAt(run));
  await db.batch([
    following.statement,
    db
      .update(proposalRuns)
      .set({ ...atRest, step, found, next })
      .where(isRun(run)),
  ]);
  enqueue(ctx, following.id);
}

const stop = ({ db }: Context, run: Run, problem: string) =>
  db
    .update(proposalRuns)
    .set({ ...atRest, state: "stopped", step: run.step + 1, problem })
    .where(isRun(run));

async function finish({ db }: Context, run: Run, answer: Answer | null) {
  const composed = composeProposals(run.found, answer && answer.value, run.lasts);
  const { offered, leftOut } = composed;
  const rows = JSON.stringify(composed.proposals);
  await db.batch([
    db
      .insert(proposals)
      .select(
        sql`select null, ${run.id}, 'open', value from json_each(${rows}) where ${isAt(run)} order by key`,
      ),
    db
      .update(proposalRuns)
      .set({
        ...atRest,
        state: "ready",
        step: run.step + 1,
        found: { ...run.found, offered, leftOut },
        problem: composed.proposals.length === 0 ? NOTHING : null,
      })
      .where(isRun(run)),
  ]);
}
