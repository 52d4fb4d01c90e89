import { beginningOfXml } from "#worker/imports/beginning-of-xml.ts";
import { HostError, inWords } from "#worker/imports/feed/download.ts";

/**
 * Decodes bytes, in this order of trust: a byte order mark, valid UTF-8, the header, the declaration. The last two are
 * often wrong.
 */
export function decodeText(bytes: Uint8Array, contentType: string | null) {
  const named = charsetOf(bytes, contentType);
  // These encodings consist of ASCII bytes, so they would pass as UTF-8.
  if (/^iso-2022/i.test(named)) return decode(bytes, named) ?? "";
  const marked = markOf(bytes) ?? (/^utf-?16/i.test(named) ? named : null);
  if (marked) return decode(bytes, marked) ?? "";
  // Valid UTF-8 is UTF-8, whatever the header says.
  return (
    decode(bytes, "utf-8", true) ??
    nearlyUtf8(bytes, named) ??
    decode(bytes, named) ??
    decode(bytes, DEFAULT) ??
    ""
  );
}

/** For text that is not UTF-8 and names no other encoding. */
const DEFAULT = "windows-1252";

/** UTF-8 with a few invalid bytes, each shown as one replacement character; null if it is another encoding. */
function nearlyUtf8(bytes: Uint8Array, named: string) {
  const text = new TextDecoder().decode(bytes);
  let [good, bad] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) bad++;
    else if (code > 0x7f) good++;
  }
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const isCut = named === DEFAULT && good === 0 && countCut(bytes) === bad;
  return isMarked || good > bad || isCut ? text : null;
}

/** Characters that a host truncated: in other encodings this pattern is very rare. */
function countCut(bytes: Uint8Array) {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) {
    const first = bytes[at]!;
    if (first < 0xc2 || first > 0xf4) continue;
    const wanted = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    let following = 0;
    while (following < wanted && ((bytes[at + 1 + following] ?? 0) & 0xc0) === 0x80) following++;
    if (following === 0 ? isCutFirst(bytes, at) : following < wanted) count++;
  }
  return count;
}

/**
 * The first byte of é, of a quotation mark or of an emoji, at the end of a word that is not in capitals, where "Ã" is
 * unlikely.
 */
const isCutFirst = (bytes: Uint8Array, at: number) =>
  [0xc2, 0xc3, 0xe2, 0xf0].includes(bytes[at]!) &&
  !isLetter(bytes[at + 1] ?? 0) &&
  !(bytes[at - 1]! >= 0x41 && bytes[at - 1]! <= 0x5a);

/** An ASCII letter or digit, or any other character. */
const isLetter = (byte: number) => byte >= 0x80 || /[a-z\d]/i.test(String.fromCharCode(byte));

function markOf([first, second]: Uint8Array) {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : null;
}

function charsetOf(bytes: Uint8Array, contentType: string | null) {
  const [, inHeader] = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType ?? "") ?? [];
  const head = new TextDecoder(DEFAULT).decode(bytes.subarray(0, 4000)).replace(/^\u00ef\u00bb\u00bf/, "");
  const start = head.slice(beginningOfXml(head));
  const [, declared] = /^<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/i.exec(start) ?? [];
  const isUtf8 = (name: string | undefined) => /^utf-?8$/i.test(name ?? "");
  // It is not valid UTF-8, so a header or declaration that says so is wrong.
  return [declared, inHeader].find((name) => name && !isUtf8(name)) ?? DEFAULT;
}

/** Null if the bytes are invalid in it, or the encoding is unknown. */
function decode(bytes: Uint8Array, encoding: string, fatal = false) {
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * Unpacks a gzip file, which some hosts send without a Content-Encoding; other files are returned unchanged.
 * @throws {HostError} if it is more than `most` bytes, or broken
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
