import { boxesIn, readType, wholeFile, type Box } from "#worker/files/audio/boxes.ts";
import { LONGEST_PICTURE, writeStandIn } from "#worker/files/audio/stand-ins.ts";
import { Pieces } from "#worker/files/pictures/metadata/pieces.ts";
import type { Reader } from "#worker/files/pictures/metadata/reader.ts";

/**
 * What is read of each box: codec, title, number, cover and chapters. `mp4-sound.ts` reads how long the sound lasts.
 */
const COPIED_BOXES: Record<string, string[]> = {
  "": ["ftyp", "moov", "mdat"],
  moov: ["mvhd", "trak", "udta", "meta"],
  trak: ["tkhd", "mdia", "tref"],
  tref: ["chap"],
  mdia: ["mdhd", "hdlr", "minf"],
  minf: ["stbl"],
  stbl: ["stsd"],
  udta: ["meta", "chpl"],
  meta: ["hdlr", "ilst"],
};
/** Positions and durations of samples. Those of the sound have an entry for every 20 ms and are not needed here. */
const SAMPLE_TABLES = ["stts", "stsz", "stsc", "stco", "co64"];
/** Bytes: some ten thousand chapters. */
const LONGEST_TABLE = 64 * 1024;
const LONGEST_BOX = 64 * 1024;
const MOST_COVERS = 8;
/** Two, of which the first may be of a type that is not used. */
const MOST_COVER_BYTES = 2 * LONGEST_PICTURE;
/** Title and track number of the recording. */
const WORDS = ["©nam", "trkn"];
const LONGEST_WORDS = 4096;
/** Track references and sample descriptions. */
const LONGEST_LIST = 4096;

type Hidden = Pick<Box, "start" | "end" | "within"> & { instead?: Pieces };
type Walk = { reader: Reader; hidden: Hidden[] };

/**
 * An MP4 as a parser may see it: boxes that it need not read become one unknown box of the same length, so that no
 * offset changes.
 * @throws InvalidFileError when it has too many boxes.
 */
export async function readMp4(reader: Reader) {
  const walk: Walk = { reader, hidden: [] };
  await walkBoxes(walk, wholeFile(reader));
  return hide(walk.hidden, reader.size);
}

/** Bytes before the audio data of an MP4; null if it has none. */
export async function findMp4Start(reader: Reader) {
  for await (const { type, content } of boxesIn(reader, wholeFile(reader)))
    if (type === "mdat") return content;
  return null;
}

async function walkBoxes(walk: Walk, parent: Box) {
  for await (const box of boxesIn(walk.reader, parent)) {
    const isTable = parent.type === "stbl" && SAMPLE_TABLES.includes(box.type);
    if (isTable || (COPIED_BOXES[parent.type]?.includes(box.type) && (await isCopied(walk, box))))
      parent.boxes.push(box);
    else walk.hidden.push(box);
  }
}

async function isCopied(walk: Walk, box: Box) {
  const length = box.end - box.content;
  switch (box.type) {
    case "mdat":
      return true;
    case "meta":
      return keepMeta(walk, box);
    case "ilst":
      await keepItems(walk, box);
      return true;
    case "trak":
      await walkBoxes(walk, box);
      hideTables(walk, box, await isChapterTrack(walk.reader, box));
      return true;
    case "chap":
    case "stsd":
      return length <= LONGEST_LIST;
    default:
      if (!COPIED_BOXES[box.type]) return length <= LONGEST_BOX;
      await walkBoxes(walk, box);
      return true;
  }
}

/** Reduces a list to the cover, title and number; the rest becomes a free box after it. */
async function keepItems({ reader, hidden }: Walk, ilst: Box) {
  const kept = new Pieces();
  const types = new Set<string>();
  for await (const item of boxesIn(reader, ilst)) {
    if (types.has(item.type)) continue;
    if (item.type === "covr") kept.append(await copyCovers(reader, item));
    else if (WORDS.includes(item.type) && item.end - item.content <= LONGEST_WORDS)
      kept.keep(item.start, item.end);
    else continue;
    types.add(item.type);
  }
  const left = ilst.end - ilst.content - kept.size;
  if ((left > 0 && left < 8) || left < 0 || kept.size === 0) return void hidden.push(ilst);
  const instead = new Pieces();
  instead.add(boxHeader("ilst", 8 + kept.size));
  instead.append(kept);
  if (left > 0) instead.add(boxHeader("free", left));
  instead.fill(0, Math.max(left - 8, 0) + (ilst.content - ilst.start - 8));
  hidden.push({ ...ilst, instead });
}

/** Bytes before the picture: its type, and a language. */
const COVER_FIELDS = 8;
/** The type “JPEG”: a parser drops the pictures of most others. The bytes show which it is. */
const JPEG = [0, 0, 0, 13, 0, 0, 0, 0];

async function copyCovers(reader: Reader, covr: Box) {
  const covers = new Pieces();
  let count = 0;
  for await (const { type, content, end } of boxesIn(reader, covr)) {
    if (type !== "data" || end - content <= COVER_FIELDS || ++count > MOST_COVERS) continue;
    const isLarge = end - content > LONGEST_PICTURE;
    // It is not the reason why a file has no cover: another before it is.
    if (!isLarge && covers.size + end - content > MOST_COVER_BYTES) continue;
    const instead = isLarge ? writeStandIn({ is: "large" }) : new Uint8Array();
    covers.add(boxHeader("data", isLarge ? 16 + instead.length : 8 + end - content));
    covers.add(new Uint8Array(JPEG));
    if (isLarge) covers.add(instead);
    else covers.keep(content + COVER_FIELDS, end);
  }
  const copied = new Pieces();
  if (covers.size === 0) return copied;
  copied.add(boxHeader("covr", 8 + covers.size));
  copied.append(covers);
  return copied;
}

/** MPEG's has a version and flags before its boxes; QuickTime's does not. */
async function keepMeta(walk: Walk, box: Box) {
  if (box.end - box.content < 8) return false;
  const isPlain = (await walk.reader.view(box.content, 8)).getUint32(4) === 0x68646c72;
  box.content += isPlain ? 0 : 4;
  await walkBoxes(walk, box);
  return true;
}

/** The track whose text is the chapter titles, and which has no chapters itself. */
async function isChapterTrack(reader: Reader, trak: Box) {
  if (trak.boxes.some(({ type }) => type === "tref")) return false;
  const hdlr = trak.boxes.flatMap(({ boxes }) => boxes).find(({ type }) => type === "hdlr");
  if (!hdlr || hdlr.end - hdlr.content < 12) return false;
  return ["text", "sbtl"].includes(await readType(reader, hdlr.content + 8));
}

function hideTables(walk: Walk, box: Box, isChapters: boolean) {
  for (const each of box.boxes) {
    const isSmall = each.end - each.start <= LONGEST_TABLE;
    if (SAMPLE_TABLES.includes(each.type) && !(isChapters && isSmall)) walk.hidden.push(each);
    hideTables(walk, each, isChapters);
  }
}

/** The file with each of these ranges as one free box; adjacent ranges in the same box are joined. */
function hide(hidden: Hidden[], size: number) {
  const merged: Hidden[] = [];
  for (const { start, end, within, instead } of hidden.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    const isNext = last?.end === start && last.within === within;
    if (isNext && !last.instead && !instead) last.end = end;
    else if (!last || start >= last.end) merged.push({ start, end, within, instead });
  }
  const pieces = new Pieces();
  let at = 0;
  for (const { start, end, instead } of merged) {
    pieces.keep(at, start);
    if (instead) pieces.append(instead);
    else pieces.add(boxHeader("free", end - start));
    at = instead ? end : start + 8;
  }
  pieces.keep(at, size);
  return pieces;
}

function boxHeader(type: string, length: number) {
  const header = new Uint8Array(8);
  new DataView(header.buffer).setUint32(0, length);
  header.set(new TextEncoder().encode(type), 4);
  return header;
}
