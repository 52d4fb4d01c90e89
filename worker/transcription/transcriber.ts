import type { Piece } from "#worker/files/audio/cutting/piece.ts";
import type { Heard } from "#worker/transcription/words.ts";

/** What writes down a piece of a recording. Times in its words are those of the piece. */
export type Transcriber = {
  /** @throws TranscriberError */
  transcribe(piece: Pick<Piece, "bytes" | "type" | "extension">, options: Options): Promise<Heard>;
};

export type Options = {
  /** ISO 639-1; null where the model detects it. */
  language: string | null;
  /** Milliseconds for the whole answer. */
  waitMs: number;
};

/**
 * - `busy`: it is tried again later, and is not this piece's fault;
 * - `settings`: nothing will be transcribed until the owner changes the settings;
 * - `answer`: this piece was not understood. It may be at the next attempt.
 */
export type Failing = "busy" | "settings" | "answer";

/** A sentence for the owner. */
export class TranscriberError extends Error {
  readonly failing: Failing;
  /** Milliseconds, if the service names a time. */
  readonly retryAfterMs: number | null;

  constructor(failing: Failing, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.failing = failing;
    this.retryAfterMs = retryAfterMs;
  }
}

export const tooLate = (waitMs: number) =>
  new TranscriberError("answer", `The model didn’t answer within ${Math.round(waitMs / 1000)} seconds.`);

export const refusedAsBusy = (retryAfterMs: number | null) =>
  new TranscriberError("busy", "The service is busy, and is asked again later.", retryAfterMs);
