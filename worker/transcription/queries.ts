import { eq, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { findRecording, listSpeakerNames } from "#worker/episodes/recording-queries.ts";
import { episodeNotFound } from "#worker/episodes/summary.ts";
import { serviceName } from "#worker/models/setup.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { readSite } from "#worker/settings/queries.ts";
import type {
  Stretch,
  Transcription,
  TranscriptionDraft,
  TranscriptionPanel,
} from "#worker/transcription/contract.ts";
import { transcriptionKey, whyNotSetUp } from "#worker/transcription/open-transcriber.ts";
import { pieceLimits, sentSeconds } from "#worker/transcription/pieces.ts";
import { transcriptionPieces, transcriptions } from "#worker/transcription/table.ts";

/** Without its text. */
const jobColumns = {
  id: transcriptions.id,
  recording: transcriptions.recording,
  state: transcriptions.state,
  service: transcriptions.service,
  model: transcriptions.model,
  language: transcriptions.language,
  heard: transcriptions.heard,
  pricePerMinute: transcriptions.pricePerMinute,
  problem: transcriptions.problem,
  retryAt: transcriptions.retryAt,
  startedAt: transcriptions.startedAt,
  acceptedAt: transcriptions.acceptedAt,
  missing: transcriptions.missing,
  hasWords: sql<number>`${transcriptions.draft} <> ''`,
};

/**
 * What the episode's form shows beside the transcript.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readTranscription(ctx: Context, episodeId: number): Promise<TranscriptionPanel> {
  requireCapability("edit", ctx);
  const { db } = ctx;
  const [{ transcription: settings }, recording, [job], pieces] = await Promise.all([
    readSite(ctx),
    findRecording(ctx, episodeId),
    db.select(jobColumns).from(transcriptions).where(eq(transcriptions.episodeId, episodeId)),
    db
      .select({
        state: transcriptionPieces.state,
        start: transcriptionPieces.start,
        end: transcriptionPieces.end,
        asked: transcriptionPieces.asked,
      })
      .from(transcriptionPieces)
      .innerJoin(transcriptions, eq(transcriptions.id, transcriptionPieces.transcriptionId))
      .where(eq(transcriptions.episodeId, episodeId))
      .orderBy(transcriptionPieces.number),
  ]);
  if (!recording) throw episodeNotFound();
  const seconds =
    recording.fileId === null ? null : recording.file?.seconds || recording.statedSeconds || null;
  const minutes = seconds === null ? null : sentSeconds(seconds, pieceLimits[ctx.config.plan]) / 60;
  return {
    isOn: whyNotSetUp(ctx, settings) === null,
    service: serviceName(settings),
    model: settings.model,
    seconds,
    estimate: minutes === null ? null : { minutes, cost: minutes * settings.pricePerMinute },
    transcription: job ? describe(job, pieces, recording.fileId) : null,
  };
}

type Job = Omit<typeof transcriptions.$inferSelect, "episodeId" | "step" | "busyAnswers" | "draft"> & {
  hasWords: number;
};
type Part = Pick<typeof transcriptionPieces.$inferSelect, "state" | "start" | "end" | "asked">;

function describe(job: Job, pieces: Part[], audioFileId: string | null): Transcription {
  const sent = pieces.reduce((sum, { asked, start, end }) => sum + asked * ((end ?? 0) - (start ?? 0)), 0);
  const minutes = sent / 60;
  const failed = pieces.filter(({ state }) => state === "failed");
  const isOver = job.state === "ready" || job.state === "accepted";
  return {
    state: job.state,
    service: job.service,
    model: job.model,
    startedAt: job.startedAt.getTime(),
    acceptedAt: job.acceptedAt?.getTime() ?? null,
    heard: job.heard,
    isOtherLanguage: isOther(job.language, job.heard),
    doneSeconds: pieces.reduce(
      (most, { state, end }) => (state === "waiting" ? most : Math.max(most, end ?? 0)),
      0,
    ),
    minutes,
    cost: minutes * job.pricePerMinute,
    missing: isOver ? job.missing : failed.map(({ start, end }): Stretch => [start ?? 0, end ?? 0]),
    problem: job.problem,
    retryAt: job.retryAt?.getTime() ?? null,
    hasWords: Boolean(job.hasWords),
    isOfFormer: job.recording !== audioFileId,
  };
}

/** Models name a language by its code or in English. */
function isOther(asked: string | null, heard: string | null) {
  if (asked === null || heard === null) return false;
  const name = new Intl.DisplayNames("en", { type: "language" }).of(asked);
  return ![asked, name?.toLowerCase()].includes(heard.toLowerCase().split("-")[0]);
}

/**
 * The proposal, and the names that the show knows.
 * @throws `unauthenticated`, `forbidden`; `not_found` unless there is one
 */
export async function readTranscriptionDraft(ctx: Context, episodeId: number): Promise<TranscriptionDraft> {
  requireCapability("edit", ctx);
  const [[row], known] = await Promise.all([
    ctx.db
      .select({ transcript: transcriptions.draft })
      .from(transcriptions)
      .where(eq(transcriptions.episodeId, episodeId)),
    listSpeakerNames(ctx, episodeId),
  ]);
  if (!row || row.transcript === "") throw new AppError("not_found", "There is no transcript to accept yet.");
  return { ...row, ...known };
}

/**
 * Whether the server has a key, which no answer has.
 * @throws `unauthenticated`, `forbidden`
 */
export const readTranscriptionKey = (ctx: Context) => transcriptionKey.state(ctx);
