import {
  digestOf,
  LONGEST_CHAPTER_PICTURES_MB,
  LONGEST_PICTURE,
  LONGEST_TAG_MB,
  writeStandIn,
  type StandIn,
} from "#worker/files/audio/stand-ins.ts";
import { StoredBlob } from "#worker/files/blob.ts";
import { tooManyParts } from "#worker/files/invalid.ts";
import { Pieces } from "#worker/files/pictures/metadata/pieces.ts";
import { Reader } from "#worker/files/pictures/metadata/reader.ts";

/** Tags before another tag: few programs add one. */
const MOST_TAGS = 16;
/** More than is ever shown. */
const MOST_CHAPTERS = 1000;
/** Chapters in one list, whose count is a single byte: of 501 chapters, ffmpeg lists 245. */
const MOST_LISTED = 255;
const MOST_PICTURES = 8;
/** Bytes of the different pictures of all chapters: a parser holds them in memory. */
const CHAPTER_PICTURES = LONGEST_CHAPTER_PICTURES_MB * 1024 * 1024;
/** Bytes of a title, or of a list of chapters. */
const LONGEST_TEXT = 64 * 1024;
/** Bytes of a chapter's link. */
const LONGEST_LINK = 4096;
/** A control character, which is invisible in a title. */
const NO_TITLE = "\u0001";
/** Title and track number, in the frame names of version 2 and of later ones. */
const WORDS = ["TIT2", "TT2", "TRCK", "TRK"];
const LONGEST_WORDS = 4096;
const TAG_HEADER = 10;
const UNSYNCHRONISED = 0x80;
/** Bits in the second byte of a version 4 frame's flags. */
const FRAME = { hasLength: 1, isUnsynchronised: 2, isOpaque: 0x0c };
/** Bytes of a tag or frame that is held in memory to be decoded. */
const LONGEST_ENCODED = LONGEST_TAG_MB * 1024 * 1024;
/** Of all decoded frames, and of those with pictures, so that words after them are kept. */
const MOST_DECODED = 24 * 1024 * 1024;
const MOST_DECODED_PICTURES = 23 * 1024 * 1024;
/** Of a chapter that is too long to be decoded: its times and words. */
const BEGINNING = 2 * LONGEST_TEXT;

type Tag = { major: number; flags: number; body: number; start: number; end: number };
type Frames = Pick<Tag, "major" | "flags" | "start" | "end">;
/** `flags`: how its content is encoded. */
type Frame = { id: string; start: number; content: number; end: number; flags: number };
/** `room`: bytes that its picture may have; `isCut`: its end, in which the picture is, is missing. */
type TagFrame = Frame & { major: number; room: number; isCut?: boolean };
/** What a file has of frames that are limited, over all its tags; `words`: of one tag. */
type Kept = {
  pictures: number;
  chapters: number;
  /** Digests of the chapters’ pictures. */
  chapterPictures: Set<string>;
  chapterPictureBytes: number;
  words: Set<string>;
  decodedBytes: number;
};

/**
 * The ID3v2 tags that begin here, as a parser may see them: title, number, pictures, and chapters with their titles.
 * @throws InvalidFileError if there are too many tags or frames.
 */
export async function readId3(reader: Reader, from: number, to = reader.size, kept = noneKept()) {
  const pieces = new Pieces();
  let end = from;
  for (let count = 0; ; count++) {
    const tag = await readTag(reader, end, to);
    if (!tag) return { end: Math.min(end, to), pieces };
    if (count === MOST_TAGS) throw tooManyParts();
    await addTag(reader, pieces, { ...tag, end: Math.min(tag.end, to) }, kept);
    end = tag.end;
  }
}

/** Where the ID3v2 tags at the start end. There may be several. */
export async function skipId3(reader: Reader) {
  let at = 0;
  for (let count = 0; ; count++) {
    const tag = await readTag(reader, at, reader.size);
    if (!tag) return at;
    if (count === MOST_TAGS) throw tooManyParts();
    at = tag.end;
  }
}

async function readTag(reader: Reader, at: number, to: number): Promise<Tag | null> {
  if (at + TAG_HEADER > to) return null;
  const header = await reader.view(at, TAG_HEADER);
  // "ID3"
  if (header.getUint32(0) >>> 8 !== 0x494433) return null;
  const [major, flags] = [header.getUint8(3), header.getUint8(5)];
  const size = syncsafe(header, 6);
  const body = at + TAG_HEADER;
  const footer = flags & 0x10 ? TAG_HEADER : 0;
  // The extended header includes its own size only since version 4.
  const extended = flags & 0x40 && body + 4 <= to ? await reader.view(body, 4) : null;
  const skipped = !extended ? 0 : major >= 4 ? syncsafe(extended, 0) : extended.getUint32(0) + 4;
  return { major, flags, body, start: body + skipped, end: body + size + footer };
}

async function addTag(reader: Reader, pieces: Pieces, tag: Tag, kept: Kept) {
  if (tag.major < 2 || tag.major > 4) return;
  kept.words.clear();
  // Version 4 encodes each frame instead.
  const isEncoded = tag.major < 4 && (tag.flags & UNSYNCHRONISED) !== 0;
  const copied = isEncoded ? await copyEncoded(reader, tag, kept) : await copyFrames(reader, tag, kept);
  pieces.add(new Uint8Array([0x49, 0x44, 0x33, tag.major, 0, 0, ...toSyncsafe(copied.size)]));
  pieces.append(copied);
}

async function copyEncoded(reader: Reader, tag: Tag, kept: Kept) {
  const copied = new Pieces();
  if (tag.end - tag.body > LONGEST_ENCODED) {
    copied.add(pictureFrame(tag.major, { is: "long-tag" }));
    return copied;
  }
  const plain = inMemory(decode(await reader.take(tag.body, tag.end)));
  const frames = { major: tag.major, flags: 0, start: tag.start - tag.body, end: plain.size };
  copied.add(await (await copyFrames(new Reader(plain), frames, kept)).bytes(plain));
  return copied;
}

/**
 * Reverses unsynchronisation: a zero follows each 0xff, so that nothing in a tag looks like a frame of sound. ID3v2.3,
 * 5; ID3v2.4, 6.1. Some programs only set the flag: a tag with bytes that look like sound was never encoded. The bytes
 * themselves are changed, since they may be many.
 */
function decode(bytes: Uint8Array<ArrayBuffer>) {
  if (bytes.some((byte, at) => byte >= 0xe0 && bytes[at - 1] === 0xff)) return bytes;
  let [length, previous] = [0, 0];
  for (const byte of bytes) {
    if (byte !== 0 || previous !== 0xff) bytes[length++] = byte;
    previous = byte;
  }
  return bytes.subarray(0, length);
}

/** Bytes as a file that is not copied. */
const inMemory = (bytes: Uint8Array<ArrayBuffer>) =>
  new StoredBlob(async (start, end) => bytes.subarray(start, end), {
    start: 0,
    size: bytes.length,
    type: "",
  });

async function copyFrames(reader: Reader, tag: Frames, kept: Kept) {
  const copied = new Pieces();
  const lists: Pieces[] = [];
  for await (const frame of framesIn(reader, tag)) {
    // Some programs only set the flag of the whole tag.
    const isEncoded =
      tag.major === 4 &&
      ((tag.flags & UNSYNCHRONISED) | (frame.flags & FRAME.isUnsynchronised)) > 0 &&
      !(frame.flags & FRAME.isOpaque);
    const own = new Pieces();
    if (isEncoded) await addDecoded(reader, own, frame, kept);
    else await addFrame(reader, own, { ...frame, major: tag.major, room: Infinity }, kept);
    if (frame.id !== "CTOC") copied.append(own);
    else if (own.size > 0) lists.push(own);
  }
  // A parser reads only the chapters of the first list, and none of the lists within it.
  if (lists.length === 1 && kept.chapters <= MOST_LISTED) copied.append(lists[0]!);
  return copied;
}

async function addFrame(reader: Reader, pieces: Pieces, frame: TagFrame, kept: Kept) {
  const length = frame.end - frame.content;
  if (frame.id === "APIC" || frame.id === "PIC") {
    if (kept.pictures++ >= MOST_PICTURES) return;
    if (length > Math.min(LONGEST_PICTURE, frame.room))
      pieces.add(pictureFrame(frame.major, { is: "large" }));
    else await keepFrame(reader, pieces, frame, frame.major);
  } else if (frame.id === "CHAP") {
    if (kept.chapters++ < MOST_CHAPTERS) await addChapter(reader, pieces, frame, kept);
  } else if (frame.id === "CTOC" && length <= LONGEST_TEXT) {
    await keepFrame(reader, pieces, frame, frame.major);
  } else if (WORDS.includes(frame.id) && length <= LONGEST_WORDS && !kept.words.has(frame.id)) {
    kept.words.add(frame.id);
    await keepFrame(reader, pieces, frame, frame.major);
  }
}

export const noneKept = (): Kept => ({
  pictures: 0,
  chapters: 0,
  chapterPictures: new Set(),
  chapterPictureBytes: 0,
  words: new Set(),
  decodedBytes: 0,
});

async function addDecoded(reader: Reader, pieces: Pieces, frame: Frame, kept: Kept) {
  const length = frame.end - frame.content;
  const room = MOST_DECODED_PICTURES - kept.decodedBytes;
  // It is not decoded to be dropped.
  if (frame.id === "APIC" && length > Math.min(LONGEST_PICTURE, room))
    return addFrame(reader, pieces, { ...frame, major: 4, room: 0 }, kept);
  const isShort = frame.id === "CTOC" || WORDS.includes(frame.id);
  if (frame.id !== "APIC" && frame.id !== "CHAP" && !(isShort && length <= LONGEST_TEXT)) return;
  const isCut = length > LONGEST_ENCODED;
  const end = isCut ? frame.content + BEGINNING : frame.end;
  const plain = inMemory(await decodeFrame(reader, { ...frame, end }, true));
  const decoded = { ...frame, start: 0, content: TAG_HEADER, end: plain.size, flags: 0 };
  const copied = new Pieces();
  await addFrame(new Reader(plain), copied, { ...decoded, major: 4, room, isCut }, kept);
  if (copied.size > MOST_DECODED - kept.decodedBytes) return;
  kept.decodedBytes += copied.size;
  pieces.add(await copied.bytes(plain));
}

/** A version 4 frame before its encoding, without the length that it may begin with. */
async function decodeFrame(
  reader: Reader,
  { start, content, end, flags }: Frame,
  isEncoded = (flags & FRAME.isUnsynchronised) !== 0,
) {
  const written = await reader.take(start, end);
  const header = written.slice(0, content - start);
  const stored = written.subarray(content - start);
  const body = (isEncoded ? decode(stored) : stored).subarray(flags & FRAME.hasLength ? 4 : 0);
  header.set(toSyncsafe(body.length), 4);
  header[9] = 0;
  const from = body.byteOffset - header.length;
  const plain = new Uint8Array(written.buffer, from, header.length + body.length);
  plain.set(header);
  return plain;
}

/** The beginning of a chapter’s title, behind the byte of its encoding: all titles together have a limit. */
const withinTitle = (part: Frame): Frame => ({
  ...part,
  end: Math.min(part.end, part.content + 1 + LONGEST_WORDS),
});

/** With its size in the encoding of version 4, which programs written for version 3 do not use. */
async function keepFrame(reader: Reader, pieces: Pieces, { start, content, end }: Frame, major: number) {
  if (major === 2) pieces.keep(start, content);
  else {
    const header = (await reader.bytes(start, content)).slice();
    header.set(major === 4 ? toSyncsafe(end - content) : fourBytes(end - content), 4);
    pieces.add(header);
  }
  pieces.keep(content, end);
}

async function* framesIn(reader: Reader, { major, start, end }: Frames): AsyncGenerator<Frame> {
  const headerLength = major === 2 ? 6 : 10;
  for (let at = start; at + headerLength <= end;) {
    reader.step();
    const header = await reader.view(at, headerLength);
    // Zeros are padding.
    if (header.getUint8(0) === 0) return;
    const idLength = major === 2 ? 3 : 4;
    const id = String.fromCharCode(...new Uint8Array(header.buffer, header.byteOffset, idLength));
    const content = at + headerLength;
    const plain = major === 2 ? header.getUint32(2) & 0xffffff : header.getUint32(4);
    const safe = major === 4 ? syncsafe(header, 4) : plain;
    // iTunes wrote plain sizes in version 4, too. The bytes that follow show which it is.
    const isPlain =
      safe !== plain &&
      !(await endsFrame(reader, content + safe, end)) &&
      (await endsFrame(reader, content + plain, end));
    const size = isPlain ? plain : safe;
    if (content + size > end) return;
    yield { id, start: at, content, end: content + size, flags: major === 4 ? header.getUint8(9) : 0 };
    at = content + size;
  }
}

/** Whether a frame, padding or the end begins here. */
async function endsFrame(reader: Reader, at: number, end: number) {
  if (at >= end - 4) return at <= end;
  const next = new TextDecoder("latin1").decode(await reader.bytes(at, at + 4));
  return next === "\0\0\0\0" || /^[A-Z][A-Z0-9]{3}$/.test(next);
}

/**
 * A chapter with its id, times, title, link and first picture. A parser drops a chapter without a title, so it gets an
 * invisible one.
 */
async function addChapter(
  reader: Reader,
  pieces: Pieces,
  { major, room, isCut = false, ...frame }: TagFrame,
  kept: Kept,
) {
  const times = await findTimes(reader, frame);
  if (times === null) return;
  const copied = new Pieces();
  copied.keep(frame.content, times + 16);
  const found = new Set<string>();
  for await (const part of framesIn(reader, { major, flags: 0, start: times + 16, end: frame.end })) {
    if (found.has(part.id) || !(await isOfChapter(reader, part))) continue;
    found.add(part.id);
    const instead = part.id === "APIC" ? await findStandIn(reader, part, kept, room) : null;
    const shown = part.id === "TIT2" ? withinTitle(part) : part;
    if (instead) copied.add(pictureFrame(major, instead));
    else if (isWritten(part)) copied.add(await decodeFrame(reader, shown));
    else await keepFrame(reader, copied, shown, major);
  }
  if (isCut && !found.has("APIC")) copied.add(pictureFrame(major, { is: "large" }));
  if (!found.has("TIT2")) {
    const content = new TextEncoder().encode(`\0${NO_TITLE}`);
    copied.add(new TextEncoder().encode("TIT2"));
    copied.add(new Uint8Array([0, 0, 0, content.length, 0, 0]));
    copied.add(content);
  }
  const flags = new Uint8Array(2);
  pieces.add(new TextEncoder().encode("CHAP"));
  pieces.add(major === 4 ? new Uint8Array(toSyncsafe(copied.size)) : fourBytes(copied.size));
  pieces.add(flags);
  pieces.append(copied);
}

/** Whether a version 4 frame is encoded, or begins with its length. */
const isWritten = ({ flags }: Frame) => (flags & (FRAME.hasLength | FRAME.isUnsynchronised)) > 0;

async function isOfChapter(reader: Reader, part: Frame) {
  const length = part.end - part.content;
  if ((part.flags & FRAME.isOpaque) > 0) return false;
  switch (part.id) {
    case "TIT2":
      return length > 1 && length <= LONGEST_TEXT && (await hasText(reader, part));
    case "WXXX":
      return length <= LONGEST_LINK;
    case "APIC":
      return true;
    default:
      return false;
  }
}

/** What the parser sees instead of a chapter’s picture; null for the picture itself. */
async function findStandIn(reader: Reader, part: Frame, kept: Kept, room: number): Promise<StandIn | null> {
  if (part.end - part.content > LONGEST_PICTURE) return { is: "large" };
  const content = isWritten(part)
    ? (await decodeFrame(reader, part)).subarray(part.content - part.start)
    : await reader.bytes(part.content, part.end);
  const data = pictureIn(content);
  // An address, or nothing.
  if (!data) return null;
  const digest = await digestOf(data);
  if (kept.chapterPictures.has(digest)) return { is: "repeated", digest };
  if (data.length > Math.min(CHAPTER_PICTURES - kept.chapterPictureBytes, room)) return { is: "beyond" };
  kept.chapterPictureBytes += data.length;
  kept.chapterPictures.add(digest);
  return null;
}

/** The bytes of a picture, behind its encoding, type, kind and description; null for an address. */
function pictureIn(content: Uint8Array) {
  const type = content.indexOf(0, 1);
  if (type < 0 || new TextDecoder("latin1").decode(content.subarray(1, type)) === "-->") return null;
  const longest = Math.min(content.length, type + LONGEST_WORDS);
  // UTF-16 ends with two zeros.
  const width = content[0] === 1 || content[0] === 2 ? 2 : 1;
  let at = type + 2;
  while (at < longest && content.subarray(at, at + width).some((byte) => byte !== 0)) at += width;
  return content.subarray(at + width);
}

/** A picture frame without a description. */
function pictureFrame(major: number, standIn: StandIn) {
  const data = writeStandIn(standIn);
  const [id, type, flags] = major === 2 ? ["PIC", "PNG", []] : ["APIC", "image/png\0", [0, 0]];
  const content = new TextEncoder().encode(`\0${type}\u0003\0`);
  // So short that all versions write the size alike.
  const size = content.length + data.length;
  const sizes = major === 2 ? [0, 0, size] : [0, 0, 0, size];
  return new Uint8Array([...new TextEncoder().encode(id), ...sizes, ...flags, ...content, ...data]);
}

/** Whether a text frame has more than its encoding, a byte order mark and zeros. */
async function hasText(reader: Reader, { content, end }: Frame) {
  const text = await reader.bytes(content + 1, end);
  return text.some((byte) => byte !== 0 && byte < 0xfe);
}

/** The times follow the id, which ends with a zero. */
async function findTimes(reader: Reader, { content, end }: Frame) {
  const name = await reader.bytes(content, Math.min(end, content + 256));
  const zero = name.indexOf(0);
  const times = content + zero + 1;
  return zero === -1 || times + 16 > end ? null : times;
}

/** Four bytes with seven bits each. */
const syncsafe = (view: DataView, at: number) =>
  [0, 1, 2, 3].reduce((value, index) => value * 128 + (view.getUint8(at + index) & 0x7f), 0);

function fourBytes(value: number) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

const toSyncsafe = (value: number) => [21, 14, 7, 0].map((shift) => (value >> shift) & 0x7f);
