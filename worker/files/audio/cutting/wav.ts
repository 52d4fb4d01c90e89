import { chunksIn } from "#worker/files/audio/riff.ts";
import { joinBytes, type Limits, type Piece, type Position } from "#worker/files/audio/cutting/piece.ts";
import { bytesOf } from "#worker/files/audio/walk.ts";
import { Reader } from "#worker/files/pictures/metadata/reader.ts";

/** Pieces of WAV: its format, and whole blocks of samples. */

const RIFF_HEADER = 12;
const CHUNK_HEADER = 8;
/** Sound in blocks of a fixed number of samples. Others, such as ADPCM, do not begin anywhere. */
const [PCM, FLOAT, EXTENSIBLE] = [1, 3, 0xfffe];

/** Null without sound, or if it is compressed. */
export async function cutWav(file: Blob, from: Position | null, limits: Limits): Promise<Piece | null> {
  const reader = new Reader(file);
  let format: Uint8Array | null = null;
  for await (const { type, content, end } of chunksIn(reader, true)) {
    if (type === "fmt " && end - content >= 16 && end - content < 1024)
      format = await reader.take(content, end);
    if (type === "data") return format && cutSound(file, format, { content, end }, from, limits);
  }
  return null;
}

async function cutSound(
  file: Blob,
  format: Uint8Array,
  { content, end }: { content: number; end: number },
  from: Position | null,
  limits: Limits,
): Promise<Piece | null> {
  const view = new DataView(format.buffer, format.byteOffset, format.length);
  const [rate, block] = [view.getUint32(4, true), view.getUint16(12, true)];
  if (![PCM, FLOAT, EXTENSIBLE].includes(view.getUint16(0, true)) || rate === 0 || block === 0) return null;
  const blocks = Math.floor((end - content) / block);
  const first = from ? Math.floor((from.at - content) / block) : 0;
  const most = Math.max(1, Math.min(Math.floor(limits.seconds * rate), Math.floor(limits.bytes / block)));
  const last = Math.min(blocks, first + most);
  if (first >= last) return null;
  const next = Math.max(first + 1, last - Math.ceil(limits.overlap * rate));
  const bytes = await bytesOf(file, content + first * block, content + last * block);
  return {
    bytes: joinBytes(headOf(format, bytes.length), bytes),
    type: "audio/wav",
    extension: "wav",
    start: first / rate,
    end: last / rate,
    next: last === blocks ? null : { at: content + next * block, seconds: next / rate },
  };
}

function headOf(format: Uint8Array, sound: number) {
  const padded = format.length + (format.length % 2);
  const head = new Uint8Array(RIFF_HEADER + CHUNK_HEADER + padded + CHUNK_HEADER);
  const view = new DataView(head.buffer);
  const name = (text: string, at: number) => head.set(new TextEncoder().encode(text), at);
  name("RIFF", 0);
  view.setUint32(4, head.length - 8 + sound, true);
  name("WAVEfmt ", 8);
  view.setUint32(16, format.length, true);
  head.set(format, RIFF_HEADER + CHUNK_HEADER);
  name("data", head.length - CHUNK_HEADER);
  view.setUint32(head.length - 4, sound, true);
  return head;
}
