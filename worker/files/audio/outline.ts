import { readApe } from "#worker/files/audio/ape.ts";
import { readFlac } from "#worker/files/audio/flac.ts";
import { readId3 } from "#worker/files/audio/id3.ts";
import { readMp4 } from "#worker/files/audio/mp4.ts";
import { readFlacInOgg, readOgg } from "#worker/files/audio/ogg.ts";
import { readAiff, readWav } from "#worker/files/audio/riff.ts";
import { StoredBlob } from "#worker/files/blob.ts";
import { tooManyParts } from "#worker/files/invalid.ts";
import { Pieces } from "#worker/files/pictures/metadata/pieces.ts";
import { Reader } from "#worker/files/pictures/metadata/reader.ts";

/** Zeros after the file, in which a parser looks for the tags of old programs. */
const NO_TAGS = 256;
const MOST_READS = 7500;
/** Of a file whose structure is not known here: its headers, and a few words. */
const LONGEST_UNKNOWN = 1024 * 1024;

/**
 * An audio file as its metadata parser sees it: codec, duration, pictures and chapters. The parser holds texts and
 * tables in memory and processes them in quadratic time; none of them are needed here.
 * @throws InvalidFileError if the file has too many parts; and during parsing, if it is read too often.
 */
export async function outlineOf(given: Blob, audioStart: number | null) {
  const file = (await nativeFlac(given)) ?? given;
  const { pieces, longest } = await piecesOf(new Reader(file), file.type, audioStart);
  let [reads, bytes] = [0, 0];
  const check = () => {
    if (reads > MOST_READS || bytes > longest) throw tooManyParts();
  };
  const read = async (start: number, end: number) => {
    reads++;
    bytes += end - start;
    check();
    return pieces.read(file, start, end);
  };
  /** `check`: to be asked when the parser is done, since it may take an error for the end of the file. */
  return { file: new StoredBlob(read, { start: 0, size: pieces.size, type: file.type }), check };
}

/** The parser does not read the tags of a FLAC in Ogg. */
async function nativeFlac(file: Blob) {
  if (file.type !== "audio/ogg" && file.type !== "audio/opus") return null;
  const pieces = await readFlacInOgg(new Reader(file));
  if (!pieces) return null;
  const read = (start: number, end: number) => pieces.read(file, start, end);
  return new StoredBlob(read, { start: 0, size: pieces.size, type: "audio/flac" });
}

async function piecesOf(reader: Reader, type: string, audioStart: number | null) {
  const isChunked = type === "audio/wav" || type === "audio/aiff";
  const known = await readKnown(reader, type, audioStart);
  const pieces = known ?? new Pieces();
  if (!known) pieces.keep(0, reader.size);
  if (!isChunked) pieces.fill(0, NO_TAGS);
  if (type === "audio/mpeg" || type === "audio/aac") pieces.append(await readApe(reader));
  return { pieces, longest: known ? Infinity : LONGEST_UNKNOWN };
}

async function readKnown(reader: Reader, type: string, audioStart: number | null) {
  switch (type) {
    case "audio/mpeg":
    case "audio/aac": {
      const { end, pieces } = await readId3(reader, 0);
      pieces.keep(audioStart ?? end, reader.size);
      return pieces;
    }
    case "audio/mp4":
    case "audio/x-m4a":
      return readMp4(reader);
    case "audio/wav":
      return readWav(reader);
    case "audio/aiff":
      return readAiff(reader);
    case "audio/flac":
    case "audio/x-flac":
      return readFlac(reader);
    case "audio/ogg":
    case "audio/opus":
      return readOgg(reader);
    default:
      return null;
  }
}
