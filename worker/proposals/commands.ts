import { and, eq, inArray, ne, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { episodeNotFound } from "#worker/episodes/summary.ts";
import { measureTranscript, recordingOf, storedCues } from "#worker/episodes/timed-transcript.ts";
import type { ModelKey } from "#worker/models/contract.ts";
import { limitStarts } from "#worker/models/limit-starts.ts";
import { serviceName } from "#worker/models/setup.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { AppError } from "#worker/platform/errors.ts";
import { enqueue } from "#worker/platform/work/outbox.ts";
import { ProposalDecision } from "#worker/proposals/contract.ts";
import { proposalKey, whyNotSetUp } from "#worker/proposals/open-model.ts";
import { stepRow } from "#worker/proposals/propose-step.ts";
import { nothingFound } from "#worker/proposals/read-answer.ts";
import { proposalRuns, proposals } from "#worker/proposals/table.ts";
import { readSite } from "#worker/settings/queries.ts";

/**
 * Has a model read the episode's transcript, in the background. Its proposals change nothing; they replace those of the last run.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` without a transcript with times, while one is being read, and
 * if proposals are switched off; `too_many`
 */
export async function startProposals(ctx: Context, episodeId: number): Promise<{ id: number }> {
  requireCapability("edit", ctx);
  const [{ proposals: settings }, transcript] = await Promise.all([
    readSite(ctx),
    measureTranscript(ctx, episodeId),
  ]);
  if (!transcript) throw episodeNotFound();
  const problem = whyNotSetUp(ctx, settings);
  if (problem !== null) throw new AppError("conflict", problem);
  if (transcript.cues === 0)
    throw new AppError("conflict", "Add a transcript with times to the episode and save it first.");
  const { db } = ctx;
  const ofEpisode = eq(proposalRuns.episodeId, episodeId);
  if ((await db.$count(proposalRuns, and(ofEpisode, eq(proposalRuns.state, "running")))) > 0) throw isRead();
  await limitStarts(ctx, episodeId);
  const run = {
    episodeId,
    state: "running" as const,
    step: 0,
    next: 0,
    service: serviceName(settings),
    model: settings.model,
    inputPrice: settings.inputPrice,
    outputPrice: settings.outputPrice,
    inputTokens: 0,
    outputTokens: 0,
    busyAnswers: 0,
    startedAt: ctx.now,
    recording: recordingOf(episodeId),
    found: nothingFound,
    cues: storedCues(episodeId),
  };
  const id = sql`(select ${proposalRuns.id} from ${proposalRuns} where ${ofEpisode})`;
  const first = stepRow(ctx, sql`json_object('run', ${id}, 'step', 0)`, sql`changes() > 0`);
  const [, started] = await db.batch([
    db.delete(proposalRuns).where(and(ofEpisode, ne(proposalRuns.state, "running"))),
    db.insert(proposalRuns).values(run).onConflictDoNothing().returning({ id: proposalRuns.id }),
    first.statement,
  ]);
  if (!started[0]) throw isRead();
  enqueue(ctx, first.id);
  return started[0];
}

const isRead = () => new AppError("conflict", "This transcript is being read already.");

/**
 * Continues a run that stopped, where it stopped.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` if nothing is left to do; `too_many`
 */
export async function continueProposals(ctx: Context, episodeId: number) {
  requireCapability("edit", ctx);
  const { db } = ctx;
  const [run] = await db
    .select({ id: proposalRuns.id, step: proposalRuns.step, state: proposalRuns.state })
    .from(proposalRuns)
    .where(eq(proposalRuns.episodeId, episodeId));
  if (!run) throw noProposals();
  if (run.state !== "stopped") throw nothingLeft();
  await limitStarts(ctx, episodeId);
  const step = run.step + 1;
  const isStopped = and(
    eq(proposalRuns.id, run.id),
    eq(proposalRuns.step, run.step),
    eq(proposalRuns.state, "stopped"),
  );
  const next = stepRow(ctx, { run: run.id, step }, sql`changes() > 0`);
  const [continued] = await db.batch([
    db
      .update(proposalRuns)
      .set({ state: "running", step, problem: null, retryAt: null, busyAnswers: 0 })
      .where(isStopped)
      .returning({ id: proposalRuns.id }),
    next.statement,
  ]);
  if (continued.length === 0) throw nothingLeft();
  enqueue(ctx, next.id);
}

const nothingLeft = () => new AppError("conflict", "There is nothing left to read.");

/**
 * Notes whether the owner has taken a proposal into the form, which saves it with the episode, or dismissed it.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `not_found`
 */
export async function decideProposal(ctx: Context, episodeId: number, id: number, input: ProposalDecision) {
  requireCapability("edit", ctx);
  const { state } = parseInput(ProposalDecision, input);
  const { db } = ctx;
  const runs = db
    .select({ id: proposalRuns.id })
    .from(proposalRuns)
    .where(eq(proposalRuns.episodeId, episodeId));
  const [decided] = await db
    .update(proposals)
    .set({ state })
    .where(and(eq(proposals.id, id), inArray(proposals.runId, runs)))
    .returning({ id: proposals.id });
  if (!decided) throw new AppError("not_found", "There is no such proposal any more.");
}

/**
 * Ends a run and deletes its proposals. What was accepted stays in the episode.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function discardProposals(ctx: Context, episodeId: number) {
  requireCapability("edit", ctx);
  const [discarded] = await ctx.db
    .delete(proposalRuns)
    .where(eq(proposalRuns.episodeId, episodeId))
    .returning({ id: proposalRuns.id });
  if (!discarded) throw noProposals();
}

const noProposals = () => new AppError("not_found", "There are no proposals for this episode.");

/**
 * Stores the key of the server that proposes, which no other server gets; an empty one removes it.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `invalid`
 */
export async function changeProposalKey(ctx: Context, input: ModelKey) {
  return proposalKey.change(ctx, input);
}
