import { asc, desc, eq, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { episodeNotFound } from "#worker/episodes/summary.ts";
import { measureTranscript, recordingOf, storedCues } from "#worker/episodes/timed-transcript.ts";
import { serviceName } from "#worker/models/setup.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Proposal, ProposalPanel, ProposalRun } from "#worker/proposals/contract.ts";
import { proposalKey, whyNotSetUp } from "#worker/proposals/open-model.ts";
import { costOf, estimate } from "#worker/proposals/parts.ts";
import { proposalRuns, proposals } from "#worker/proposals/table.ts";
import { readSite } from "#worker/settings/queries.ts";

/** Without the transcript. */
const runColumns = {
  state: proposalRuns.state,
  service: proposalRuns.service,
  model: proposalRuns.model,
  inputPrice: proposalRuns.inputPrice,
  outputPrice: proposalRuns.outputPrice,
  inputTokens: proposalRuns.inputTokens,
  outputTokens: proposalRuns.outputTokens,
  problem: proposalRuns.problem,
  retryAt: proposalRuns.retryAt,
  startedAt: proposalRuns.startedAt,
  next: proposalRuns.next,
  offered: sql<number>`${proposalRuns.found} ->> '$.offered'`,
  leftOut: sql<string>`${proposalRuns.found} -> '$.leftOut'`,
  cues: sql<number>`json_array_length(${proposalRuns.cues})`,
  isOfFormer: sql<number>`${proposalRuns.cues} is not ${storedCues(sql`${proposalRuns.episodeId}`)}
    or ${proposalRuns.recording} is not ${recordingOf(sql`${proposalRuns.episodeId}`)}`,
};

/**
 * What the episode's form shows of proposals.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readProposals(ctx: Context, episodeId: number): Promise<ProposalPanel> {
  requireCapability("edit", ctx);
  const { db } = ctx;
  const ofEpisode = eq(proposalRuns.episodeId, episodeId);
  const [{ proposals: settings }, transcript, [run], rows] = await Promise.all([
    readSite(ctx),
    measureTranscript(ctx, episodeId),
    db.select(runColumns).from(proposalRuns).where(ofEpisode),
    db
      .select({ id: proposals.id, state: proposals.state, content: proposals.content })
      .from(proposals)
      .innerJoin(proposalRuns, eq(proposalRuns.id, proposals.runId))
      .where(ofEpisode)
      .orderBy(asc(proposals.id)),
  ]);
  if (!transcript) throw episodeNotFound();
  const tokens = estimate(transcript);
  return {
    isOn: whyNotSetUp(ctx, settings) === null,
    service: serviceName(settings),
    model: settings.model,
    estimate:
      transcript.cues === 0 ? null : { tokens: tokens.input + tokens.output, cost: costOf(tokens, settings) },
    run: run
      ? describe(
          run,
          rows.map(({ content, ...row }): Proposal => ({ ...content, ...row })),
        )
      : null,
  };
}

type Row = Omit<
  typeof proposalRuns.$inferSelect,
  "id" | "episodeId" | "step" | "busyAnswers" | "recording" | "found" | "cues"
> & { offered: number; leftOut: string; cues: number; isOfFormer: number };

function describe(row: Row, found: Proposal[]): ProposalRun {
  const { inputTokens, outputTokens, leftOut, next, startedAt, retryAt, ...run } = row;
  const { inputPrice: _input, outputPrice: _output, isOfFormer, ...shown } = run;
  return {
    ...shown,
    startedAt: startedAt.getTime(),
    retryAt: retryAt?.getTime() ?? null,
    done: next,
    tokens: inputTokens + outputTokens,
    cost: costOf({ input: inputTokens, output: outputTokens }, row),
    isOfFormer: Boolean(isOfFormer),
    leftOut: JSON.parse(leftOut) as ProposalRun["leftOut"],
    proposals: found,
  };
}

/** The message for networks that the owner last accepted for an episode; null without one. */
export async function findAcceptedMessage({ db }: Context, episodeId: number) {
  const [row] = await db
    .select({ text: sql<string>`${proposals.content} ->> '$.text'` })
    .from(proposals)
    .innerJoin(proposalRuns, eq(proposalRuns.id, proposals.runId))
    .where(
      sql`${eq(proposalRuns.episodeId, episodeId)} and ${proposals.state} = 'accepted'
        and ${proposals.content} ->> '$.kind' = 'message'`,
    )
    .orderBy(desc(proposals.id))
    .limit(1);
  return row?.text ?? null;
}

/**
 * Whether the server has a key, which no answer has.
 * @throws `unauthenticated`, `forbidden`
 */
export const readProposalKey = (ctx: Context) => proposalKey.state(ctx);
