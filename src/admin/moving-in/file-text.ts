import { counted } from "#site/ui/format.ts";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** What a file may be in, as the page says it. */
export const encodingNames: Record<Encoding, string> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16 (little-endian)",
  "utf-16be": "UTF-16 (big-endian)",
  "windows-1252": "Windows-1252 (Latin-1)",
};

/** Of a file that holds no text, such as a spreadsheet. */
export class NotText extends Error {}

/** Bytes from which the type of a file is detected. */
const BEGINNING = 4096;

/**
 * What a file is written in: as its mark says, or by its zero bytes, or UTF-8 if all of it is, cut off or not; otherwise
 * Windows-1252, which holds Latin-1 and in which anything can be read.
 * @throws {NotText}
 */
export async function encodingOf(file: Blob): Promise<Encoding> {
  const bytes = new Uint8Array(await file.slice(0, BEGINNING).arrayBuffer());
  if (startsWith(bytes, 0xff, 0xfe)) return "utf-16le";
  if (startsWith(bytes, 0xfe, 0xff)) return "utf-16be";
  const zeros = [0, 1].map((side) => bytes.filter((byte, at) => byte === 0 && at % 2 === side).length);
  const [high = 0, low = 0] = zeros.map((count) => count / Math.max(1, bytes.length / 2));
  // Every other byte of an ASCII text.
  if (low > 0.5 && high === 0) return "utf-16le";
  if (high > 0.5 && low === 0) return "utf-16be";
  // A zip, the format of spreadsheets, or other binary data.
  if (startsWith(bytes, 0x50, 0x4b, 3, 4) || isBinary(bytes)) throw new NotText();
  return (await isUtf8(file)) ? "utf-8" : "windows-1252";
}

/** A few zero bytes in a text are left there by databases; binary data has many, and other bytes that no text has. */
function isBinary(bytes: Uint8Array) {
  const zeros = bytes.filter((byte) => byte === 0).length;
  if (zeros === 0) return false;
  return zeros > Math.max(4, bytes.length / 100) || bytes.some((byte) => byte < 9 && byte !== 0);
}

const startsWith = (bytes: Uint8Array, ...beginning: number[]) =>
  beginning.every((byte, at) => bytes[at] === byte);

async function isUtf8(file: Blob) {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let isPlain = true;
  try {
    for await (const bytes of chunksOf(file))
      isPlain = !/[^\p{ASCII}]/u.test(decoder.decode(bytes, { stream: true })) && isPlain;
    // Bytes at the end are a truncated UTF-8 character only after others; alone they may be a Latin-1 letter.
    if (isPlain) decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** The text of a small file, without its mark and zero characters. @throws {NotText} */
export async function wholeTextOf(file: Blob) {
  const encoding = await encodingOf(file);
  return { encoding, ...withoutZeros(new TextDecoder(encoding).decode(await file.arrayBuffer())) };
}

/** For the plan. */
export const zeroRemarks = (zeros: number) =>
  zeros > 0 ? [`${counted(zeros, "zero byte")} in the file ${zeros === 1 ? "is" : "are"} left out.`] : [];

export type TextPart = {
  text: string;
  /** Zero characters that were removed from it. */
  zeros: number;
  /** Bytes of the file until the end of this part. */
  bytes: number;
};

/** As browsers and databases do: the character has no meaning in a text. */
export function withoutZeros(given: string) {
  const text = given.replaceAll("\0", "");
  return { text, zeros: given.length - text.length };
}

/** The text of a file, part by part, without its mark and zero characters. No part but the one that is worked on is in memory. */
export async function* textOf(file: Blob, encoding: Encoding): AsyncGenerator<TextPart> {
  const decoder = new TextDecoder(encoding);
  let bytes = 0;
  for await (const chunk of chunksOf(file)) {
    bytes += chunk.byteLength;
    yield { ...withoutZeros(decoder.decode(chunk, { stream: true })), bytes };
  }
  yield { ...withoutZeros(decoder.decode()), bytes };
}

/** Not `for await` over the stream: Safari has no iterator on it. */
async function* chunksOf(file: Blob) {
  const reader = file.stream().getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel();
  }
}
