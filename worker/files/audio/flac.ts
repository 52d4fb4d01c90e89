import { readId3 } from "#worker/files/audio/id3.ts";
import { LONGEST_PICTURE, writeStandIn } from "#worker/files/audio/stand-ins.ts";
import { UnreadableError } from "#worker/files/invalid.ts";
import type { Reader } from "#worker/files/pictures/metadata/reader.ts";

const STREAMINFO = 0;
const COMMENTS = 4;
const PICTURE = 6;
const INVALID = 127;
const LAST = 0x80;
const MOST_PICTURES = 8;
/** Title, number and chapters are among them. */
const LONGEST_COMMENTS = 64 * 1024;

/**
 * A FLAC as a parser may see it: what describes the stream, a few comments, and the pictures. RFC 9639, 8
 * @throws InvalidFileError when it has too many blocks.
 */
export async function readFlac(reader: Reader) {
  const { end, pieces } = await readId3(reader, 0);
  pieces.keep(end, end + 4);
  const blocks: { type: number; content: number; end: number }[] = [];
  let at = end + 4;
  for (let isLast = false; !isLast;) {
    reader.step();
    const header = (await reader.view(at, 4)).getUint32(0);
    const type = (header >>> 24) & 0x7f;
    isLast = header >>> 31 === 1;
    const [content, next] = [at + 4, at + 4 + (header & 0xffffff)];
    if (type === INVALID || next > reader.size) throw new UnreadableError("No FLAC block");
    const isPicture = type === PICTURE;
    const isComments = type === COMMENTS && next - content <= LONGEST_COMMENTS;
    if (type === STREAMINFO || ((isPicture || isComments) && blocks.length <= MOST_PICTURES))
      blocks.push({ type, content, end: next });
    at = next;
  }
  for (const [index, block] of blocks.entries()) {
    const instead = block.end - block.content > LONGEST_PICTURE ? pictureInstead() : null;
    const length = instead?.length ?? block.end - block.content;
    const flag = index === blocks.length - 1 ? LAST : 0;
    pieces.add(new Uint8Array([flag | block.type, length >> 16, (length >> 8) & 0xff, length & 0xff]));
    if (instead) pieces.add(instead);
    else pieces.keep(block.content, block.end);
  }
  pieces.keep(at, reader.size);
  return pieces;
}

/** A front cover without a description or a size. */
function pictureInstead() {
  const [type, data] = [new TextEncoder().encode("image/png"), writeStandIn({ is: "large" })];
  const block = new Uint8Array(32 + type.length + data.length);
  const fields = new DataView(block.buffer);
  fields.setUint32(0, 3);
  fields.setUint32(4, type.length);
  block.set(type, 8);
  fields.setUint32(28 + type.length, data.length);
  block.set(data, 32 + type.length);
  return block;
}
