import { UnreadableError } from "#worker/files/invalid.ts";
import type { Pieces } from "#worker/files/pictures/metadata/pieces.ts";
import type { Reader } from "#worker/files/pictures/metadata/reader.ts";

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;

/** How often it is played, and its colour profile. */
const APPLICATIONS = ["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"];

/** GIF 89a: drops comments, the data of other applications (XMP is one), and what follows the end. */
export async function cleanGif(reader: Reader, pieces: Pieces) {
  const flags = (await reader.view(0, 13)).getUint8(10);
  let at = 13 + colourTable(flags);
  pieces.keep(0, at);
  for (;;) {
    reader.step();
    const kind = (await reader.view(at, 1)).getUint8(0);
    if (kind === TRAILER) return pieces.keep(at, at + 1);
    let end: number;
    let isKept = true;
    if (kind === IMAGE) {
      const table = colourTable((await reader.view(at, 10)).getUint8(9));
      // A byte before the data says how wide its codes are.
      end = await skipBlocks(reader, at + 10 + table + 1);
    } else if (kind === EXTENSION) {
      isKept = await decidesLooks(reader, at);
      end = await skipBlocks(reader, at + 2);
    } else {
      throw new UnreadableError("No GIF block");
    }
    if (isKept) pieces.keep(at, end);
    at = end;
  }
}

const colourTable = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

async function decidesLooks(reader: Reader, at: number) {
  const label = (await reader.view(at, 2)).getUint8(1);
  if (label !== APPLICATION) return label === GRAPHIC_CONTROL;
  const name = new TextDecoder("latin1").decode(await reader.bytes(at + 3, at + 14));
  return APPLICATIONS.includes(name);
}

/** Where the blocks that begin here end: each says its length, and an empty one is the last. */
async function skipBlocks(reader: Reader, from: number) {
  for (let start = from; ;) {
    const bytes = await reader.ahead(start);
    let at = 0;
    while (at < bytes.length) {
      const length = bytes[at]!;
      at += 1 + length;
      if (length === 0) return start + at;
    }
    start += at;
  }
}
