import { Pieces } from "#worker/files/pictures/metadata/pieces.ts";
import type { Reader } from "#worker/files/pictures/metadata/reader.ts";

/** APEv2: what programs write behind the sound of an MP3, in front of an old ID3v1 tag. wiki.hydrogenaud.io, APEv2 */

const FOOTER = 32;
const ID3V1 = 128;
const ITEM_HEADER = 8;
const LONGEST_TAG = 16 * 1024 * 1024;
const LONGEST_KEY = 256;
const MOST_ITEMS = 200;
const KEPT = ["cover art (front)", "title", "track"];

/** The tag with only the cover, title and number; nothing if there is none. */
export async function readApe(reader: Reader) {
  const pieces = new Pieces();
  const end = (await isApe(reader, reader.size)) ? reader.size : reader.size - ID3V1;
  if (!(await isApe(reader, end))) return pieces;
  const footer = (await reader.bytes(end - FOOTER, end)).slice();
  const fields = new DataView(footer.buffer);
  const [size, count] = [fields.getUint32(12, true), fields.getUint32(16, true)];
  if (size < FOOTER || size > Math.min(end, LONGEST_TAG) || count > MOST_ITEMS) return pieces;
  let kept = 0;
  for (let [at, item] = [end - size, 0]; item < count && at + ITEM_HEADER < end - FOOTER; item++) {
    const length = (await reader.view(at, ITEM_HEADER)).getUint32(0, true);
    const key = await readKey(reader, at + ITEM_HEADER, end - FOOTER);
    if (key === null) return new Pieces();
    const next = at + ITEM_HEADER + key.length + 1 + length;
    if (next > end - FOOTER) return new Pieces();
    if (KEPT.includes(key.toLowerCase())) {
      pieces.keep(at, next);
      kept++;
    }
    at = next;
  }
  fields.setUint32(12, pieces.size + FOOTER, true);
  fields.setUint32(16, kept, true);
  pieces.add(footer);
  return pieces;
}

async function isApe(reader: Reader, end: number) {
  if (end < FOOTER) return false;
  return new TextDecoder("latin1").decode(await reader.bytes(end - FOOTER, end - FOOTER + 8)) === "APETAGEX";
}

/** A zero ends it. */
async function readKey(reader: Reader, at: number, end: number) {
  const text = new TextDecoder("latin1").decode(await reader.bytes(at, Math.min(end, at + LONGEST_KEY)));
  const zero = text.indexOf("\0");
  return zero === -1 ? null : text.slice(0, zero);
}
