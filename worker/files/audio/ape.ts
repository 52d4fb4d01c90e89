import { LONGEST_PICTURE, writeStandIn } from "#worker/files/audio/stand-ins.ts";
import { Pieces } from "#worker/files/pictures/metadata/pieces.ts";
import type { Reader } from "#worker/files/pictures/metadata/reader.ts";

/** APEv2: what programs write behind the sound of an MP3, in front of an old ID3v1 tag. wiki.hydrogenaud.io, APEv2 */

const FOOTER = 32;
const ID3V1 = 128;
const ITEM_HEADER = 8;
const LONGEST_KEY = 256;
/** The items that follow are not looked at. */
const MOST_ITEMS = 200;
const COVER = "cover art (front)";
const WORDS = ["title", "track"];
const LONGEST_WORDS = 4096;

/** The tag with only the cover, title and number; nothing if there is none. */
export async function readApe(reader: Reader) {
  const pieces = new Pieces();
  const end = (await isApe(reader, reader.size)) ? reader.size : reader.size - ID3V1;
  if (!(await isApe(reader, end))) return pieces;
  const footer = (await reader.bytes(end - FOOTER, end)).slice();
  const fields = new DataView(footer.buffer);
  const [size, count] = [fields.getUint32(12, true), fields.getUint32(16, true)];
  if (size < FOOTER || size > end) return pieces;
  const kept = new Set<string>();
  for (
    let [at, item] = [end - size, 0];
    item < Math.min(count, MOST_ITEMS) && at + ITEM_HEADER < end - FOOTER;
    item++
  ) {
    const length = (await reader.view(at, ITEM_HEADER)).getUint32(0, true);
    const key = await readKey(reader, at + ITEM_HEADER, end - FOOTER);
    if (key === null) return new Pieces();
    const next = at + ITEM_HEADER + key.length + 1 + length;
    if (next > end - FOOTER) return new Pieces();
    const name = key.toLowerCase();
    const isLarge = name === COVER && length > LONGEST_PICTURE;
    if (!kept.has(name) && (name === COVER || (WORDS.includes(name) && length <= LONGEST_WORDS))) {
      if (isLarge) pieces.add(largeCover(await reader.bytes(at, next - length)));
      else pieces.keep(at, next);
      kept.add(name);
    }
    at = next;
  }
  fields.setUint32(12, pieces.size + FOOTER, true);
  fields.setUint32(16, kept.size, true);
  pieces.add(footer);
  return pieces;
}

/** The item with its own header and key; the picture follows its file’s name, which ends with a zero. */
function largeCover(header: Uint8Array) {
  const content = new Uint8Array([0, ...writeStandIn({ is: "large" })]);
  const item = new Uint8Array([...header, ...content]);
  new DataView(item.buffer).setUint32(0, content.length, true);
  return item;
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
