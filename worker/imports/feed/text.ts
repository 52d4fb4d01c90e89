import { HostError, inWords } from "#worker/imports/feed/download.ts";

/** Bytes as text: what it is written in is told by a mark, by itself, by its header or by its declaration, often wrongly. */
export function decodeText(bytes: Uint8Array, contentType: string | null) {
  const named = charsetOf(bytes, contentType);
  // These are ASCII to whoever does not know better.
  if (/^iso-2022/i.test(named)) return decode(bytes, named) ?? "";
  const marked = markOf(bytes) ?? (/^utf-?16/i.test(named) ? named : null);
  if (marked) return decode(bytes, marked) ?? "";
  // What is valid UTF-8 is UTF-8, whatever the header says.
  return decode(bytes, "utf-8", true) ?? decode(bytes, named) ?? decode(bytes, "windows-1252") ?? "";
}

function markOf([first, second]: Uint8Array) {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : null;
}

function charsetOf(bytes: Uint8Array, contentType: string | null) {
  const [, inHeader] = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType ?? "") ?? [];
  const start = new TextDecoder("windows-1252").decode(bytes.subarray(0, 200));
  const [, declared] =
    /^\s*(?:\u00ef\u00bb\u00bf)?<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/i.exec(start) ?? [];
  const isUtf8 = (name: string | undefined) => /^utf-?8$/i.test(name ?? "");
  // It is none, so whoever says that it is is wrong.
  return [declared, inHeader].find((name) => name && !isUtf8(name)) ?? "windows-1252";
}

/** Null where the bytes are not that, or nobody knows it. */
function decode(bytes: Uint8Array, encoding: string, fatal = false) {
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * What a file that is packed by gzip holds, which some hosts send without saying so; any other as it is.
 * @throws {HostError} where it is more than `most` bytes, or broken
 */
export async function unpacked(
  bytes: Uint8Array<ArrayBuffer>,
  most: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  try {
    for await (const piece of stream) {
      size += piece.length;
      if (size > most) throw new HostError(`It is larger than ${inWords(most)}.`, { isTemporary: false });
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof HostError) throw error;
    throw new HostError("It’s compressed, and can’t be unpacked.", { isTemporary: false });
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}
