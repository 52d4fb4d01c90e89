import { readMp3Frame } from "#worker/files/audio/frames.ts";
import { bytesOf, type Sliced } from "#worker/files/audio/walk.ts";

/**
 * The encoder's tag in the first frame of an MP3: Xing or Info (LAME and most), or VBRI (Fraunhofer). Also used by the
 * browser.
 */

/** Longer than any frame header with its side information and the tag after it. */
const TAG_WITHIN = 200;
/** After the frame header and the longest side information. */
const VBRI_AT = 36;
const XING = { frames: 1, bytes: 2, seek: 4, quality: 8 };
/**
 * After the encoder's name and settings: 12 bits for the samples of padding at the start, and 12 for those at the end.
 */
const GAPS_AT = 21;
/** Samples of delay that a decoder adds; encoders count them as padding. */
const DECODER_DELAY = 529;
const ENCODERS = /^(?:LAME|Lavf|Lavc)/;

/** `head`: seconds of the tag's frame, which is not sound, and of the silence after it that a decoder skips. */
export type Stated = { seconds: number; bytes: number | null; head: number };

/** Bytes of the tag's frame, and seconds of the silence behind it that players skip; both 0 without a tag. */
export async function readMp3Head(file: Sliced, start: number) {
  const [stated, frame] = [
    await readStated(file, start),
    readMp3Frame(await bytesOf(file, start, start + TAG_WITHIN), 0),
  ];
  return stated && frame
    ? { bytes: frame.bytes, silence: stated.head - frame.seconds }
    : { bytes: 0, silence: 0 };
}

/** Null without such a tag. `start`: bytes before the first frame. */
export async function readStated(file: Sliced, start: number): Promise<Stated | null> {
  const bytes = await bytesOf(file, start, start + TAG_WITHIN);
  const view = new DataView(bytes.buffer);
  const frame = readMp3Frame(bytes, 0);
  const text = new TextDecoder("latin1").decode(bytes);
  const found = text.startsWith("VBRI", VBRI_AT) ? readVbri(view) : readXing(view, text);
  if (!frame || found.frames === null) return null;
  const seconds = Math.max(0, found.frames * frame.seconds - (found.delay + found.padding) / frame.rate);
  const decoder = found.delay > 0 ? DECODER_DELAY : 0;
  return { seconds, bytes: found.bytes, head: frame.seconds + (found.delay + decoder) / frame.rate };
}

/** A name of 4 bytes; version, delay and quality of 6. */
const readVbri = (view: DataView) => ({
  bytes: uint32(view, VBRI_AT + 10),
  frames: uint32(view, VBRI_AT + 14),
  delay: 0,
  padding: 0,
});

function readXing(view: DataView, text: string) {
  const at = text.search(/Xing|Info/);
  const flags = at === -1 ? 0 : (uint32(view, at + 4) ?? 0);
  const frames = flags & XING.frames ? uint32(view, at + 8) : null;
  const bytes = flags & XING.bytes ? uint32(view, at + (flags & XING.frames ? 12 : 8)) : null;
  const fields = [XING.frames, XING.bytes, XING.quality].filter((flag) => flags & flag).length * 4;
  const encoder = at + 8 + fields + (flags & XING.seek ? 100 : 0);
  const isKnown = at !== -1 && ENCODERS.test(text.slice(encoder));
  const packed = isKnown ? (uint32(view, encoder + GAPS_AT - 1) ?? 0) & 0xffffff : 0;
  return { frames, bytes, delay: packed >> 12, padding: packed & 0xfff };
}

/** Null beyond the end, and for zero, which encoders write if they cannot seek back. */
const uint32 = (view: DataView, at: number) =>
  at + 4 <= view.byteLength ? view.getUint32(at) || null : null;
