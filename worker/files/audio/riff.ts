import { noneKept, readId3 } from "#worker/files/audio/id3.ts";
import { cutTo, whole } from "#worker/files/audio/length.ts";
import { Pieces } from "#worker/files/pictures/metadata/pieces.ts";
import type { Reader } from "#worker/files/pictures/metadata/reader.ts";

/** What a size of 32 bits can say. */
const MOST = 0xffff_ffff;
/** RF64 and BW64 have the true sizes in their first chunk: of the file, and then of the sound. EBU Tech 3306 */
const LONG_SIZES = "ds64";
const SOUND_SIZE_AT = 8;
const LONGEST_FORMAT = 4096;
const UNUSED = 256;

type Layout = { isLittle: boolean; sound: string; formats: string[] };

const WAV: Layout = { isLittle: true, sound: "data", formats: ["fmt ", "fact"] };
const AIFF: Layout = { isLittle: false, sound: "SSND", formats: ["COMM", "FVER"] };

export const readWav = (reader: Reader) => readChunks(reader, WAV);
export const readAiff = (reader: Reader) => readChunks(reader, AIFF);

/**
 * A WAV or AIFF as a parser may see it: its format, its sound, and the picture and chapters of its ID3 tag.
 * @throws InvalidFileError when it has too many chunks.
 */
async function readChunks(reader: Reader, { isLittle, sound, formats }: Layout) {
  const pieces = new Pieces();
  const kept = noneKept();
  // A parser knows the plain form alone.
  if (isLittle) pieces.add(new TextEncoder().encode("RIFF"));
  pieces.keep(isLittle ? 4 : 0, 12);
  for await (const { type, size, start, content, end } of chunksIn(reader, isLittle)) {
    if (type === sound && isLittle && size < MOST) {
      pieces.add(await headerOf(reader, start, size, isLittle));
      pieces.keep(content, end);
    } else if (type === sound || (formats.includes(type) && size <= LONGEST_FORMAT)) pieces.keep(start, end);
    else if (type.toUpperCase() === "ID3 ") {
      const tag = (await readId3(reader, content, end, kept)).pieces;
      pieces.add(await headerOf(reader, start, tag.size, isLittle));
      pieces.append(tag);
      pieces.fill(0, tag.size % 2);
    }
  }
  // The last thing in the file is a chunk that parsers skip.
  const end = new Uint8Array(8 + UNUSED);
  end.set(new TextEncoder().encode("JUNK"));
  new DataView(end.buffer).setUint32(4, UNUSED, isLittle);
  pieces.add(end);
  return pieces;
}

/** Sizes from here on are placeholders of programs that could not seek back. */
const UNKNOWN_SIZE = 0x7fff_0000;

/** `duration`: seconds, as a parser of metadata has them. */
export const readWavLength = (reader: Reader, duration: number | null) => readLength(reader, WAV, duration);
export const readAiffLength = (reader: Reader, duration: number | null) => readLength(reader, AIFF, duration);

async function readLength(reader: Reader, { isLittle, sound }: Layout, duration: number | null) {
  let byteRate = 0;
  let length = whole(duration);
  for await (const { type, size, content } of chunksIn(reader, isLittle)) {
    // Behind the sound another file begins.
    if (["RIFF", "RF64", "BW64", "FORM"].includes(type))
      return { ...length, flaw: length.flaw ?? ("joined" as const) };
    if (type === "fmt " && size >= 12) byteRate = (await reader.view(content + 8, 4)).getUint32(0, isLittle);
    const isKnown = type === sound && size > 0 && size < UNKNOWN_SIZE;
    const stated = isKnown && byteRate > 0 ? size / byteRate : duration;
    if (isKnown && stated !== null && content + size > reader.size)
      length = cutTo((stated * (reader.size - content)) / size, stated);
  }
  return length;
}

/** A cue point's id, its position in the play list, and its position in the sound. */
const CUE_POINT = 24;
const MOST_CUES = 1000;
const LONGEST_LABELS = 256 * 1024;

/**
 * The cue points of a WAV with their labels, in seconds, as editors and recorders write markers; none where none has a
 * label: loops and beats are cue points, too. Multimedia Programming Interface and Data Specifications 1.0
 * @throws InvalidFileError when it has too many chunks.
 */
export async function readWavMarkers(reader: Reader) {
  let rate = 0;
  const cues: { id: number; sample: number }[] = [];
  const labels = new Map<number, string>();
  for await (const { type, content, end } of chunksIn(reader, true)) {
    const length = end - content;
    if (type === "fmt " && length >= 8) rate = (await reader.view(content + 4, 4)).getUint32(0, true);
    else if (type === "cue " && length >= 4) cues.push(...(await readCues(reader, content, end)));
    else if (type === "LIST" && length <= LONGEST_LABELS) await addLabels(reader, content, end, labels);
  }
  if (rate === 0 || ![...labels.values()].some(Boolean)) return [];
  return cues
    .map(({ id, sample }) => ({ start: sample / rate, title: labels.get(id) ?? "" }))
    .toSorted((a, b) => a.start - b.start);
}

async function readCues(reader: Reader, content: number, end: number) {
  const count = (await reader.view(content, 4)).getUint32(0, true);
  const most = Math.min(count, MOST_CUES, Math.floor((end - content - 4) / CUE_POINT));
  const points = await reader.view(content + 4, most * CUE_POINT);
  return Array.from({ length: most }, (_, index) => ({
    id: points.getUint32(index * CUE_POINT, true),
    sample: points.getUint32(index * CUE_POINT + 20, true),
  }));
}

/** Each `labl` in a list of the kind `adtl` names a cue point, and ends with a zero. */
async function addLabels(reader: Reader, content: number, end: number, labels: Map<number, string>) {
  const list = await reader.bytes(content, end);
  const view = new DataView(list.buffer, list.byteOffset, list.length);
  const nameAt = (at: number) => String.fromCharCode(...list.subarray(at, at + 4));
  if (nameAt(0) !== "adtl") return;
  for (let at = 4; at + 12 <= list.length && labels.size < MOST_CUES;) {
    reader.step();
    const size = view.getUint32(at + 4, true);
    if (nameAt(at) === "labl" && size >= 4)
      labels.set(view.getUint32(at + 8, true), textOf(list.subarray(at + 12, at + 8 + size)));
    at += 8 + size + (size % 2);
  }
}

/** In an AIFF marker, its id and position; the name begins with its length. Audio Interchange File Format 1.3 */
const MARK = 6;

/**
 * The named marks of an AIFF, in seconds; none where none has a name: loops are marks, too.
 * @throws InvalidFileError when it has too many chunks.
 */
export async function readAiffMarkers(reader: Reader) {
  let rate = 0;
  let marks: { sample: number; title: string }[] = [];
  for await (const { type, content, end } of chunksIn(reader, false)) {
    const length = end - content;
    if (type === "COMM" && length >= 18) rate = extendedOf(await reader.view(content + 8, 10));
    else if (type === "MARK" && length >= 2 && length <= LONGEST_LABELS)
      marks = await readMarks(reader, content, end);
  }
  if (rate === 0 || marks.every(({ title }) => title === "")) return [];
  return marks.map(({ sample, title }) => ({ start: sample / rate, title }));
}

async function readMarks(reader: Reader, content: number, end: number) {
  const list = await reader.bytes(content, end);
  const view = new DataView(list.buffer, list.byteOffset, list.length);
  const marks: { sample: number; title: string }[] = [];
  let at = 2;
  for (let left = Math.min(view.getUint16(0), MOST_CUES); left > 0 && at + MARK < list.length; left--) {
    const length = list[at + MARK]!;
    const name = list.subarray(at + MARK + 1, at + MARK + 1 + length);
    marks.push({ sample: view.getUint32(at + 2), title: textOf(name, "macintosh") });
    // The length and the name together fill whole words.
    at += MARK + 1 + length + ((1 + length) % 2);
  }
  return marks;
}

/** A number of 80 bits, IEEE 754: sign, exponent, and a significand with its one before the point. */
function extendedOf(view: DataView) {
  const exponent = view.getUint16(0) & 0x7fff;
  return Number(view.getBigUint64(2)) * 2 ** (exponent - 16_383 - 63);
}

/** The formats name no encoding: programs write UTF-8, or the own one of the system that they were made for. */
function textOf(bytes: Uint8Array, own: "windows-1252" | "macintosh" = "windows-1252") {
  const zero = bytes.indexOf(0);
  const text = zero === -1 ? bytes : bytes.subarray(0, zero);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(text).trim();
  } catch {
    return new TextDecoder(own).decode(text).trim();
  }
}

export async function* chunksIn(reader: Reader, isLittle: boolean) {
  let longSize = 0;
  for (let start = 12; start + 8 <= reader.size;) {
    reader.step();
    const header = await reader.view(start, 8);
    const type = String.fromCharCode(...new Uint8Array(header.buffer, header.byteOffset, 4));
    const content = start + 8;
    const given = header.getUint32(4, isLittle);
    const size = type === WAV.sound && given === MOST ? longSize || given : given;
    if (type === LONG_SIZES && content + given <= reader.size && given >= SOUND_SIZE_AT + 8)
      longSize = Number((await reader.view(content + SOUND_SIZE_AT, 8)).getBigUint64(0, isLittle));
    // Who writes while recording does not know the size of the sound.
    const end = Math.min(content + size + (size % 2), reader.size);
    yield { type, size, start, content, end };
    start = end;
  }
}

async function headerOf(reader: Reader, start: number, size: number, isLittle: boolean) {
  const header = (await reader.bytes(start, start + 8)).slice();
  new DataView(header.buffer).setUint32(4, size, isLittle);
  return header;
}
