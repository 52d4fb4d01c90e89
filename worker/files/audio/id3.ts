import { tooManyParts } from "#worker/files/invalid.ts";
import { Pieces } from "#worker/files/pictures/metadata/pieces.ts";
import { Reader } from "#worker/files/pictures/metadata/reader.ts";

/** Tags before another tag: few programs add one. */
const MOST_TAGS = 16;
/** More than is ever shown. */
const MOST_CHAPTERS = 1000;
const MOST_PICTURES = 8;
/** Bytes of the largest picture that is extracted from a file. */
const LONGEST_PICTURE = 12 * 1024 * 1024;
/** Bytes of the pictures of all chapters: a parser holds them in memory. */
const CHAPTER_PICTURES = 16 * 1024 * 1024;
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
/** Bytes of a tag that is held in memory to be decoded. */
const LONGEST_ENCODED = 16 * 1024 * 1024;

type Tag = { major: number; flags: number; body: number; start: number; end: number };
type Frames = Pick<Tag, "major" | "flags" | "start" | "end">;
/** `flags`: how its content is encoded. */
type Frame = { id: string; start: number; content: number; end: number; flags: number };
/** Frames of which a tag may have a limited number. */
type Kept = {
  pictures: number;
  chapters: number;
  chapterPictureBytes: number;
  words: Set<string>;
  encodedBytes: number;
};

/**
 * The ID3v2 tags that begin here, as a parser may see them: title, number, pictures, and chapters with their titles.
 * @throws InvalidFileError if there are too many tags or frames.
 */
export async function readId3(reader: Reader, from: number, to = reader.size) {
  const pieces = new Pieces();
  let end = from;
  for (let count = 0; ; count++) {
    const tag = await readTag(reader, end, to);
    if (!tag) return { end: Math.min(end, to), pieces };
    if (count === MOST_TAGS) throw tooManyParts();
    await addTag(reader, pieces, { ...tag, end: Math.min(tag.end, to) });
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

async function addTag(reader: Reader, pieces: Pieces, tag: Tag) {
  if (tag.major < 2 || tag.major > 4) return;
  // Version 4 encodes each frame instead.
  const isEncoded = tag.major < 4 && (tag.flags & UNSYNCHRONISED) !== 0;
  const copied = isEncoded ? await copyEncoded(reader, tag) : await copyFrames(reader, tag);
  pieces.add(new Uint8Array([0x49, 0x44, 0x33, tag.major, 0, 0, ...toSyncsafe(copied.size)]));
  pieces.append(copied);
}

async function copyEncoded(reader: Reader, tag: Tag) {
  const copied = new Pieces();
  if (tag.end - tag.body > LONGEST_ENCODED) return copied;
  const plain = new Blob([decode(await reader.bytes(tag.body, tag.end))]);
  const frames = { major: tag.major, flags: 0, start: tag.start - tag.body, end: plain.size };
  copied.add(await (await copyFrames(new Reader(plain), frames)).bytes(plain));
  return copied;
}

/**
 * Reverses unsynchronisation: a zero follows each 0xff, so that nothing in a tag looks like a frame of sound. ID3v2.3,
 * 5; ID3v2.4, 6.1. Some programs only set the flag: a tag with bytes that look like sound was never encoded.
 */
function decode(bytes: Uint8Array) {
  const isPlain = bytes.some((byte, at) => byte >= 0xe0 && bytes[at - 1] === 0xff);
  return isPlain ? bytes.slice() : bytes.filter((byte, at) => byte !== 0 || bytes[at - 1] !== 0xff);
}

async function copyFrames(reader: Reader, tag: Frames, kept = noneKept()) {
  const copied = new Pieces();
  for await (const frame of framesIn(reader, tag)) {
    const length = frame.end - frame.content;
    // Some programs only set the flag of the whole tag.
    const isEncoded =
      tag.major === 4 && ((tag.flags & UNSYNCHRONISED) | (frame.flags & FRAME.isUnsynchronised)) > 0;
    if (isEncoded && !(frame.flags & FRAME.isOpaque)) {
      kept.encodedBytes += length;
      if (kept.encodedBytes <= LONGEST_ENCODED) copied.add(await copyDecoded(reader, frame, kept));
    } else if (["APIC", "PIC"].includes(frame.id) && length <= LONGEST_PICTURE) {
      if (kept.pictures++ < MOST_PICTURES) await keepFrame(reader, copied, frame, tag.major);
    } else if (frame.id === "CHAP") {
      if (kept.chapters++ < MOST_CHAPTERS)
        await addChapter(reader, copied, { ...frame, major: tag.major }, kept);
    } else if (frame.id === "CTOC" && length <= LONGEST_TEXT) {
      await keepFrame(reader, copied, frame, tag.major);
    } else if (WORDS.includes(frame.id) && length <= LONGEST_WORDS && !kept.words.has(frame.id)) {
      kept.words.add(frame.id);
      await keepFrame(reader, copied, frame, tag.major);
    }
  }
  return copied;
}

const noneKept = (): Kept => ({
  pictures: 0,
  chapters: 0,
  chapterPictureBytes: 0,
  words: new Set(),
  encodedBytes: 0,
});

async function copyDecoded(reader: Reader, frame: Frame, kept: Kept) {
  const plain = new Blob([await decodeFrame(reader, frame, true)]);
  const frames = { major: 4, flags: 0, start: 0, end: plain.size };
  return (await copyFrames(new Reader(plain), frames, kept)).bytes(plain);
}

/** A version 4 frame before its encoding, without the length that it may begin with. */
async function decodeFrame(
  reader: Reader,
  { start, content, end, flags }: Frame,
  isEncoded = (flags & FRAME.isUnsynchronised) !== 0,
) {
  const written = await reader.bytes(start, end);
  const [header, stored] = [written.slice(0, content - start), written.slice(content - start)];
  const body = (isEncoded ? decode(stored) : stored).subarray(flags & FRAME.hasLength ? 4 : 0);
  header.set(toSyncsafe(body.length), 4);
  header[9] = 0;
  const plain = new Uint8Array(header.length + body.length);
  plain.set(header);
  plain.set(body, header.length);
  return plain;
}

/** With its size in the encoding of version 4, which programs written for version 3 do not use. */
async function keepFrame(reader: Reader, pieces: Pieces, { start, content, end }: Frame, major: number) {
  if (major === 4) {
    const header = (await reader.bytes(start, content)).slice();
    header.set(toSyncsafe(end - content), 4);
    pieces.add(header);
  } else pieces.keep(start, content);
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
  { major, ...frame }: Frame & { major: number },
  kept: Kept,
) {
  const times = await findTimes(reader, frame);
  if (times === null) return;
  const copied = new Pieces();
  copied.keep(frame.content, times + 16);
  const found = new Set<string>();
  for await (const part of framesIn(reader, { major, flags: 0, start: times + 16, end: frame.end })) {
    if (found.has(part.id) || !(await isOfChapter(reader, part, kept))) continue;
    found.add(part.id);
    if ((part.flags & (FRAME.hasLength | FRAME.isUnsynchronised)) > 0)
      copied.add(await decodeFrame(reader, part));
    else await keepFrame(reader, copied, part, major);
  }
  if (!found.has("TIT2")) {
    const content = new TextEncoder().encode(`\0${NO_TITLE}`);
    copied.add(new TextEncoder().encode("TIT2"));
    copied.add(new Uint8Array([0, 0, 0, content.length, 0, 0]));
    copied.add(content);
  }
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, copied.size);
  const flags = new Uint8Array(2);
  pieces.add(new TextEncoder().encode("CHAP"));
  pieces.add(major === 4 ? new Uint8Array(toSyncsafe(copied.size)) : size);
  pieces.add(flags);
  pieces.append(copied);
}

async function isOfChapter(reader: Reader, part: Frame, kept: Kept) {
  const length = part.end - part.content;
  if ((part.flags & FRAME.isOpaque) > 0) return false;
  switch (part.id) {
    case "TIT2":
      return length > 1 && length <= LONGEST_TEXT && (await hasText(reader, part));
    case "WXXX":
      return length <= LONGEST_LINK;
    case "APIC": {
      const isKept = length <= CHAPTER_PICTURES - kept.chapterPictureBytes;
      if (isKept) kept.chapterPictureBytes += length;
      return isKept;
    }
    default:
      return false;
  }
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

const toSyncsafe = (value: number) => [21, 14, 7, 0].map((shift) => (value >> shift) & 0x7f);
