import { and, eq, inArray, ne, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { findRecording, saveVoices } from "#worker/episodes/recording-queries.ts";
import { episodeNotFound } from "#worker/episodes/summary.ts";
import type { ModelKey } from "#worker/models/contract.ts";
import { limitStarts } from "#worker/models/limit-starts.ts";
import { serviceName } from "#worker/models/setup.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { AppError } from "#worker/platform/errors.ts";
import { enqueue } from "#worker/platform/work/outbox.ts";
import { readSite } from "#worker/settings/queries.ts";
import { AcceptedTranscription, NewTranscription } from "#worker/transcription/contract.ts";
import { transcriptionKey, whyNotSetUp } from "#worker/transcription/open-transcriber.ts";
import { transcriptionPieces, transcriptions } from "#worker/transcription/table.ts";
import { stepRow } from "#worker/transcription/transcribe-step.ts";

/**
 * Begins to transcribe the episode's recording, in the background. The result is a proposal: it changes no transcript.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `not_found`; `conflict` without a recording, while one is being made, and
 * if transcripts are switched off; `too_many`
 */
export async function startTranscription(
  ctx: Context,
  episodeId: number,
  input: NewTranscription,
): Promise<{ id: number }> {
  requireCapability("edit", ctx);
  const { language } = parseInput(NewTranscription, input);
  const [{ transcription: settings }, found] = await Promise.all([
    readSite(ctx),
    findRecording(ctx, episodeId),
  ]);
  if (!found) throw episodeNotFound();
  const problem = whyNotSetUp(ctx, settings);
  if (problem !== null) throw new AppError("conflict", problem);
  const { fileId: recording, language: ofShow } = found;
  if (recording === null) throw new AppError("conflict", "Add a recording to the episode and save it first.");
  const { db } = ctx;
  const ofEpisode = eq(transcriptions.episodeId, episodeId);
  const isRunning = and(ofEpisode, eq(transcriptions.state, "running"));
  if ((await db.$count(transcriptions, isRunning)) > 0) throw isTranscribed();
  await limitStarts(ctx, episodeId);
  const job = {
    episodeId,
    recording,
    state: "running" as const,
    step: 0,
    service: serviceName(settings),
    model: settings.model,
    language: language === "show" ? (ofShow?.split("-")[0] ?? null) : null,
    pricePerMinute: settings.pricePerMinute,
    busyAnswers: 0,
    startedAt: ctx.now,
    missing: [],
    draft: "",
  };
  const id = sql`(select ${transcriptions.id} from ${transcriptions} where ${ofEpisode})`;
  const first = stepRow(ctx, sql`json_object('transcription', ${id}, 'step', 0)`, sql`changes() > 0`);
  const [, started] = await db.batch([
    db.delete(transcriptions).where(and(ofEpisode, ne(transcriptions.state, "running"))),
    db.insert(transcriptions).values(job).onConflictDoNothing().returning({ id: transcriptions.id }),
    db
      .insert(transcriptionPieces)
      .select(sql`select ${id}, 0, 'waiting', null, null, null, null, 0, null where changes() > 0`),
    first.statement,
  ]);
  if (!started[0]) throw isTranscribed();
  enqueue(ctx, first.id);
  return started[0];
}

const isTranscribed = () => new AppError("conflict", "This recording is being transcribed already.");

/**
 * Continues one that stopped, or sends those pieces again that failed.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` if nothing is left to do; `too_many`
 */
export async function continueTranscription(ctx: Context, episodeId: number) {
  requireCapability("edit", ctx);
  const { db } = ctx;
  const ofEpisode = eq(transcriptions.episodeId, episodeId);
  const [job] = await db
    .select({ id: transcriptions.id, step: transcriptions.step })
    .from(transcriptions)
    .where(ofEpisode);
  if (!job) throw noTranscription();
  const step = job.step + 1;
  const isIt = eq(transcriptions.id, job.id);
  const hasFailed = sql`exists (select 1 from ${transcriptionPieces}
    where ${transcriptionPieces.transcriptionId} = ${job.id} and ${transcriptionPieces.state} = 'failed')`;
  const mayContinue = sql`(${transcriptions.state} = 'stopped' or (${transcriptions.state} <> 'running' and ${hasFailed}))`;
  if ((await db.$count(transcriptions, and(isIt, mayContinue))) === 0) throw nothingLeft();
  await limitStarts(ctx, episodeId);
  const next = stepRow(ctx, { transcription: job.id, step }, sql`changes() > 0`);
  const [continued] = await db.batch([
    db
      .update(transcriptions)
      .set({ state: "running", step, problem: null, retryAt: null, busyAnswers: 0 })
      .where(and(isIt, eq(transcriptions.step, job.step), mayContinue))
      .returning({ id: transcriptions.id }),
    next.statement,
    db
      .update(transcriptionPieces)
      .set({ state: "waiting" })
      .where(
        and(
          eq(transcriptionPieces.transcriptionId, job.id),
          eq(transcriptionPieces.state, "failed"),
          sql`changes() > 0`,
        ),
      ),
  ]);
  if (continued.length === 0) throw nothingLeft();
  enqueue(ctx, next.id);
}

const nothingLeft = () => new AppError("conflict", "There is nothing left to transcribe.");

/**
 * Notes that the owner has taken the proposal, which the form then saves with the episode; saves the names of its voices for
 * the show, if they are given.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `not_found`
 */
export async function acceptTranscription(ctx: Context, episodeId: number, input: AcceptedTranscription) {
  requireCapability("edit", ctx);
  const { voices } = parseInput(AcceptedTranscription, input);
  const { db, now } = ctx;
  const accept = db
    .update(transcriptions)
    .set({ state: "accepted", acceptedAt: now })
    .where(and(eq(transcriptions.episodeId, episodeId), inArray(transcriptions.state, ["ready", "accepted"])))
    .returning({ id: transcriptions.id });
  const save = saveVoices(ctx, voices ?? [], sql`changes() > 0 and ${voices === undefined ? 0 : 1}`);
  const [accepted] = await db.batch([accept, save]);
  if (accepted.length === 0) throw noTranscription();
}

/**
 * Ends a transcription and deletes its words. The episode's transcript stays.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function discardTranscription(ctx: Context, episodeId: number) {
  requireCapability("edit", ctx);
  const [discarded] = await ctx.db
    .delete(transcriptions)
    .where(eq(transcriptions.episodeId, episodeId))
    .returning({ id: transcriptions.id });
  if (!discarded) throw noTranscription();
}

const noTranscription = () => new AppError("not_found", "There is no transcription of this episode.");

/**
 * Stores the key of the server that transcribes, which no other server gets; an empty one removes it.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `invalid`, also before the server has an address
 */
export async function changeTranscriptionKey(ctx: Context, input: ModelKey) {
  return transcriptionKey.change(ctx, input);
}
