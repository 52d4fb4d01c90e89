import { readId3 } from "#worker/files/audio/id3.ts";
import { cutTo, whole } from "#worker/files/audio/length.ts";
import { Pieces } from "#worker/files/metadata/pieces.ts";
import type { Reader } from "#worker/files/metadata/reader.ts";

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
  // A parser knows the plain form alone.
  if (isLittle) pieces.add(new TextEncoder().encode("RIFF"));
  pieces.keep(isLittle ? 4 : 0, 12);
  for await (const { type, size, start, content, end } of chunksIn(reader, isLittle)) {
    if (type === sound && isLittle && size < MOST) {
      pieces.add(await headerOf(reader, start, size, isLittle));
      pieces.keep(content, end);
    } else if (type === sound || (formats.includes(type) && size <= LONGEST_FORMAT)) pieces.keep(start, end);
    else if (type.toUpperCase() === "ID3 ") {
      const tag = (await readId3(reader, content, end)).pieces;
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

/** Sizes from here on stand where a program could not go back and write the true one. */
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

async function* chunksIn(reader: Reader, isLittle: boolean) {
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
