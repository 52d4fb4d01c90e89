/** Real MP3s made by hand: MPEG 1 layer III frames of silence at 44.1 kHz mono, with an ID3v2.3 tag if wanted. */

export const FRAME_SECONDS = 1152 / 44_100;

const BITRATES = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];

type Tag = {
  title?: string;
  /** "6", or "6/12". */
  track?: string;
  picture?: { type: string; bytes: Uint8Array };
  /** Seconds. */
  chapters?: { start: number; end: number; title: string }[];
};

type Options = {
  seconds: number;
  /** kbit/s of each frame by its number. */
  bitrate?: (frame: number) => number;
  /** Writes the number of frames into the first one, as encoders do. */
  xing?: boolean;
  /** The same as Fraunhofer's encoder does it. */
  vbri?: boolean;
  tag?: Tag;
};

export function makeMp3({ seconds, bitrate = () => 64, xing = false, vbri = false, tag }: Options) {
  const frames = Array.from({ length: Math.round(seconds / FRAME_SECONDS) }, (_, number) =>
    silence(bitrate(number)),
  );
  const head = xing ? [xingFrame(frames)] : vbri ? [vbriFrame(frames)] : [];
  return join([...(tag ? [id3(tag)] : []), ...head, ...frames]);
}

/** A frame whose side information is zero: every granule is empty, which decodes to silence. */
function silence(kbps: number) {
  const frame = new Uint8Array(Math.floor((144 * kbps * 1000) / 44_100));
  // Sync, MPEG 1, layer III, no CRC; bitrate, 44.1 kHz, no padding; mono.
  frame.set([0xff, 0xfb, BITRATES.indexOf(kbps) << 4, 0xc0]);
  return frame;
}

function xingFrame(frames: Uint8Array[]) {
  const frame = silence(64);
  // Behind 4 bytes of header and 17 of mono side information: frames and bytes are given.
  frame.set(join([ascii("Xing"), uint32(3), uint32(frames.length), uint32(join(frames).length)]), 21);
  return frame;
}

function vbriFrame(frames: Uint8Array[]) {
  const frame = silence(64);
  // Always behind 32 bytes: version, delay and quality, then bytes and frames.
  const counts = join([uint32(join(frames).length), uint32(frames.length)]);
  frame.set(join([ascii("VBRI"), new Uint8Array([0, 1, 0, 0, 0, 0]), counts]), 36);
  return frame;
}

export function id3({ title, track, picture, chapters = [] }: Tag) {
  const frames = join([
    ...(title ? [textFrame("TIT2", title)] : []),
    ...(track ? [textFrame("TRCK", track)] : []),
    ...(picture ? [pictureFrame(picture)] : []),
    ...chapters.map(chapterFrame),
  ]);
  const size = frames.length;
  const syncsafe = [(size >> 21) & 0x7f, (size >> 14) & 0x7f, (size >> 7) & 0x7f, size & 0x7f];
  return join([ascii("ID3"), new Uint8Array([3, 0, 0, ...syncsafe]), frames]);
}

const textFrame = (id: string, text: string) => id3Frame(id, join([new Uint8Array([0]), ascii(text)]));

/** Encoding, MIME type, kind 3 (front cover), no description. */
const pictureFrame = ({ type, bytes }: NonNullable<Tag["picture"]>) =>
  id3Frame("APIC", join([new Uint8Array([0]), ascii(`${type}\0`), new Uint8Array([3, 0]), bytes]));

function chapterFrame({ start, end, title }: NonNullable<Tag["chapters"]>[number], index: number) {
  const times = join([uint32(start * 1000), uint32(end * 1000), uint32(0xffffffff), uint32(0xffffffff)]);
  return id3Frame("CHAP", join([ascii(`chp${index}\0`), times, textFrame("TIT2", title)]));
}

const id3Frame = (id: string, data: Uint8Array) =>
  join([ascii(id), uint32(data.length), new Uint8Array([0, 0]), data]);

/** An 8-bit PNG of one colour's headers: what a reader of dimensions needs, with an empty body. */
export function makePng(width: number, height: number, { alpha = false, bytes = 0 } = {}) {
  const header = join([uint32(width), uint32(height), new Uint8Array([8, alpha ? 6 : 2, 0, 0, 0])]);
  return join([
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", new Uint8Array(bytes)),
    chunk("IEND", new Uint8Array()),
  ]);
}

/** Nothing here checks the CRC. */
const chunk = (type: string, data: Uint8Array) => join([uint32(data.length), ascii(type), data, uint32(0)]);

const ascii = (text: string) => new TextEncoder().encode(text);

function uint32(value: number) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

export function join(pieces: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(pieces.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
