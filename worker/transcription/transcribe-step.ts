import { and, asc, eq, sql, type SQL } from "drizzle-orm";
import { findRecording } from "#worker/episodes/recording-queries.ts";
import { cutPiece } from "#worker/files/audio/cutting/cut.ts";
import type { Piece } from "#worker/files/audio/cutting/piece.ts";
import { openStored } from "#worker/files/blob.ts";
import { ModelError } from "#worker/models/model-error.ts";
import { nextTry } from "#worker/models/next-try.ts";
import type { Context } from "#worker/platform/context.ts";
import { isOverDailyLimit } from "#worker/platform/data/daily-limit.ts";
import {
  BusyError,
  enqueue,
  isLastAttempt,
  outboxRowIf,
  RetryError,
  type OutboxRow,
} from "#worker/platform/work/outbox.ts";
import { joinPieces } from "#worker/transcription/join-pieces.ts";
import { openTranscriber } from "#worker/transcription/open-transcriber.ts";
import { pieceLimits } from "#worker/transcription/pieces.ts";
import { requireWithin } from "#worker/transcription/read-answer.ts";
import { transcriptionPieces, transcriptions, type PackedWord } from "#worker/transcription/table.ts";
import type { Heard, Word } from "#worker/transcription/words.ts";
import { writeCues } from "#worker/transcription/write-cues.ts";

/**
 * A transcription is a chain of outbox rows, one a step: a piece is cut and sent to the model, and at the end all are joined. A
 * step that was interrupted is repeated by the outbox; what it wrote counts only while its number is the transcription's.
 */
export const TRANSCRIPTION_TOPIC = "transcription";

type Turn = { transcription: number; step: number };

/** Attempts at a piece that were all interrupted, after which it is given up: it may be what ends the Worker. */
const MOST_INTERRUPTED = 5;

const OUR_FAULT = "Something went wrong on this site. Continue it, or try again later.";
const INTERRUPTED = "It was interrupted at every attempt. Continue it to try again.";
const NOT_CUT = "This recording can’t be cut into pieces. Use an MP3, an M4A or a WAV.";
const NOT_STORED = "The recording is no longer stored.";
const REPLACED = "The episode has another recording now. Start again for the new one.";
const NO_WORDS = "No words were heard. The recording may be silent, or music alone.";

/** The statement that writes the row of a step, if the condition is true. Send its queue message with `enqueue`. */
export const stepRow = (ctx: Context, turn: Turn | SQL, isDue: SQL) =>
  outboxRowIf(ctx, TRANSCRIPTION_TOPIC, turn, isDue);

type Job = NonNullable<Awaited<ReturnType<typeof readJob>>>;
type PieceRow = typeof transcriptionPieces.$inferSelect;

/** The handler of a step's outbox row. */
export async function takeStep(ctx: Context, payload: unknown, row: OutboxRow) {
  const job = await readJob(ctx, payload as Turn);
  if (!job) return;
  try {
    await continueJob(ctx, job, row);
  } catch (error) {
    if (error instanceof BusyError || error instanceof RetryError) throw error;
    if (isLastAttempt(row) && !isOverDailyLimit(error)) await stop(ctx, job, OUR_FAULT);
    throw error;
  }
}

/** Undefined if the step is done, or the transcription was discarded. */
async function readJob(ctx: Context, { transcription: id, step }: Turn) {
  const [job] = await ctx.db
    .select({
      id: transcriptions.id,
      episodeId: transcriptions.episodeId,
      recording: transcriptions.recording,
      step: transcriptions.step,
      model: transcriptions.model,
      language: transcriptions.language,
      busyAnswers: transcriptions.busyAnswers,
    })
    .from(transcriptions)
    .where(
      and(eq(transcriptions.id, id), eq(transcriptions.step, step), eq(transcriptions.state, "running")),
    );
  if (!job) return undefined;
  const found = await findRecording(ctx, job.episodeId);
  return { ...job, isCurrent: found?.fileId === job.recording, file: found?.file ?? null };
}

async function continueJob(ctx: Context, job: Job, row: OutboxRow) {
  if (!job.isCurrent) return stop(ctx, job, REPLACED);
  const [piece] = await ctx.db
    .select()
    .from(transcriptionPieces)
    .where(and(ofJob(job), eq(transcriptionPieces.state, "waiting")))
    .orderBy(asc(transcriptionPieces.number))
    .limit(1);
  if (!piece) return finish(ctx, job);
  if (row.attempts > MOST_INTERRUPTED) return giveUp(ctx, job, piece, INTERRUPTED);
  if (!job.file) return stop(ctx, job, NOT_STORED);
  try {
    const transcriber = await openTranscriber(ctx, job.model);
    const cut = await cutPiece(openFile(ctx, job.file), piece.position, pieceLimits[ctx.config.plan]);
    if (!cut) return await stop(ctx, job, NOT_CUT);
    // The end of a file that could not be cut is not known.
    if (!Number.isFinite(cut.end)) cut.end = job.file.seconds ?? cut.start;
    await noteAsked(ctx, piece, cut);
    const heard = await transcriber.transcribe(cut, job.language);
    if (cut.end > cut.start) requireWithin(heard.words, cut.end - cut.start);
    await storeHeard(ctx, job, piece, cut, heard);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    await handle(ctx, job, piece, row, error);
  }
}

const openFile = ({ media: bucket }: Context, { key, size, type }: NonNullable<Job["file"]>) =>
  openStored({ bucket, key, size }, type);

async function handle(ctx: Context, job: Job, piece: PieceRow, row: OutboxRow, error: ModelError) {
  const next = nextTry(error, { row, busyAnswers: job.busyAnswers, now: ctx.clock().getTime() });
  if (next.is === "stop") return stop(ctx, job, next.message);
  if (next.is === "give up") return giveUp(ctx, job, piece, next.message);
  const { message: problem, at: retryAt } = next;
  if (next.isBusy) {
    await ctx.db
      .update(transcriptionPieces)
      .set({ asked: sql`max(0, ${transcriptionPieces.asked} - 1)` })
      .where(isPiece(piece));
  }
  await noteWait(ctx, job, {
    problem,
    retryAt,
    ...(next.isBusy && { busyAnswers: job.busyAnswers + 1 }),
  });
  throw next.error;
}

const ofJob = ({ id }: Job) => eq(transcriptionPieces.transcriptionId, id);

const isPiece = ({ transcriptionId, number }: PieceRow) =>
  and(eq(transcriptionPieces.transcriptionId, transcriptionId), eq(transcriptionPieces.number, number));

/** SQL: no other consumer has done the step, and the owner has not discarded it. */
const isAt = ({ id, step }: Job) =>
  sql`exists (select 1 from ${transcriptions} where ${transcriptions.id} = ${id}
    and ${transcriptions.step} = ${step} and ${transcriptions.state} = 'running')`;

const isJob = (job: Job) => and(eq(transcriptions.id, job.id), isAt(job));

const noteAsked = ({ db }: Context, piece: PieceRow, { start, end, next }: Piece) =>
  db
    .update(transcriptionPieces)
    .set({ start, end, next, asked: sql`${transcriptionPieces.asked} + 1` })
    .where(isPiece(piece));

type Waits = Partial<Pick<typeof transcriptions.$inferInsert, "problem" | "retryAt" | "busyAnswers">>;

const noteWait = ({ db }: Context, job: Job, waits: Waits) =>
  db.update(transcriptions).set(waits).where(isJob(job));

async function storeHeard(ctx: Context, job: Job, piece: PieceRow, cut: Piece, { words, language }: Heard) {
  const packed = words.map((word) => pack(word, cut.start));
  const columns = { state: "heard" as const, words: packed };
  await endStep(ctx, job, { ...piece, next: cut.next }, columns, {
    ...(words.length > 0 && { heard: sql`coalesce(${transcriptions.heard}, ${language})` }),
  });
}

/** Stops instead if this may be no fault of the piece: none was heard, or the one before it failed, too. */
async function giveUp(ctx: Context, job: Job, piece: PieceRow, problem: string) {
  if (piece.end === null) {
    const [stored] = await ctx.db.select().from(transcriptionPieces).where(isPiece(piece));
    if (!stored || stored.end === null) return stop(ctx, job, problem);
    return giveUp(ctx, job, stored, problem);
  }
  const [others] = await ctx.db
    .select({
      heard: sql<number>`count(*) filter (where ${transcriptionPieces.state} = 'heard')`,
      failedBefore: sql<number>`count(*) filter (where ${transcriptionPieces.state} = 'failed' and ${transcriptionPieces.number} = ${piece.number - 1})`,
    })
    .from(transcriptionPieces)
    .where(ofJob(job));
  if (others!.heard === 0 || others!.failedBefore > 0) return stop(ctx, job, problem);
  await endStep(ctx, job, piece, { state: "failed" }, {});
}

type Ended = Pick<PieceRow, "transcriptionId" | "number" | "next"> & PieceRow;

/** Stores a piece's outcome, its successor and the row of the next step, all or nothing. */
async function endStep(
  ctx: Context,
  job: Job,
  piece: Ended,
  columns: Partial<typeof transcriptionPieces.$inferInsert>,
  ofJobColumns: Record<string, unknown>,
) {
  const { db } = ctx;
  const next = stepRow(ctx, { transcription: job.id, step: job.step + 1 }, isAt(job));
  const successor = db
    .insert(transcriptionPieces)
    .select(
      sql`select ${job.id}, ${piece.number + 1}, 'waiting', ${JSON.stringify(piece.next)}, null, null, null, 0, null
        where ${isAt(job)} and ${piece.next === null ? 0 : 1}`,
    )
    .onConflictDoNothing();
  await db.batch([
    db
      .update(transcriptionPieces)
      .set(columns)
      .where(and(isPiece(piece), isAt(job))),
    successor,
    next.statement,
    db
      .update(transcriptions)
      .set({ ...ofJobColumns, step: job.step + 1, problem: null, retryAt: null, busyAnswers: 0 })
      .where(isJob(job)),
  ]);
  enqueue(ctx, next.id);
}

/** A message of the former step then finds nothing to do. */
const stop = ({ db }: Context, job: Job, problem: string) =>
  db
    .update(transcriptions)
    .set({ state: "stopped", step: job.step + 1, problem, retryAt: null, busyAnswers: 0 })
    .where(isJob(job));

/** Joins all pieces into the proposal. */
async function finish({ db }: Context, job: Job) {
  const pieces = await db.select().from(transcriptionPieces).where(ofJob(job));
  const { words, missing } = joinPieces(
    pieces.map(({ start, end, words: packed }) => ({
      start: start ?? 0,
      end: end ?? 0,
      words: packed && packed.map(unpack),
    })),
  );
  await db
    .update(transcriptions)
    .set({
      state: "ready",
      step: job.step + 1,
      draft: writeCues(words),
      missing,
      problem: words.length === 0 ? NO_WORDS : null,
      retryAt: null,
    })
    .where(isJob(job));
}

const milliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000;

/** Times of the piece become those of the recording. */
const pack = ({ start, end, text, voice }: Word, shift: number): PackedWord => {
  const times = [start, end].map((time) => milliseconds(Math.max(0, time + shift))) as [number, number];
  return voice === undefined ? [...times, text] : [...times, text, voice];
};

const unpack = ([start, end, text, voice]: PackedWord): Word =>
  voice === undefined ? { start, end, text } : { start, end, text, voice };
