import { cutFlac } from "#worker/files/audio/cutting/flac.ts";
import { cutAac, cutMp3 } from "#worker/files/audio/cutting/frames.ts";
import { cutMp4 } from "#worker/files/audio/cutting/mp4.ts";
import { cutOgg } from "#worker/files/audio/cutting/ogg.ts";
import type { Limits, Piece, Position } from "#worker/files/audio/cutting/piece.ts";
import { cutWav } from "#worker/files/audio/cutting/wav.ts";

const cutters: Record<string, typeof cutMp3> = {
  "audio/mpeg": cutMp3,
  "audio/aac": cutAac,
  "audio/mp4": cutMp4,
  "audio/x-m4a": cutMp4,
  "audio/ogg": cutOgg,
  "audio/flac": cutFlac,
  "audio/x-flac": cutFlac,
  "audio/wav": cutWav,
};

/**
 * The piece of a recording that begins at a position, null for its beginning, cut without decoding (decision 0104). A format
 * that cannot be cut is one piece; null if that is larger than a piece may be.
 */
export async function cutPiece(file: Blob, from: Position | null, limits: Limits): Promise<Piece | null> {
  const piece = await cutters[file.type]?.(file, from, limits);
  if (piece) return piece;
  if (from || file.size > limits.bytes) return null;
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { bytes, type: file.type, extension: "audio", start: 0, end: Infinity, next: null };
}
