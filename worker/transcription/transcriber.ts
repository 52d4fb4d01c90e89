import type { Piece } from "#worker/files/audio/cutting/piece.ts";
import type { Heard } from "#worker/transcription/words.ts";

/** What writes down a piece of a recording. Times in its words are those of the piece. */
export type Transcriber = {
  /** @throws ModelError */
  transcribe(piece: Pick<Piece, "bytes" | "type" | "extension">, options: Options): Promise<Heard>;
};

export type Options = {
  /** ISO 639-1; null where the model detects it. */
  language: string | null;
  /** Milliseconds for the whole answer. */
  waitMs: number;
};
