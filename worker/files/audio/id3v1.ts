import { bytesOf } from "#worker/files/audio/walk.ts";

/** What the first version of ID3 has at the end of an MP3. id3.org/ID3v1 */

const LENGTH = 128;
const TITLE_END = 33;
/** In version 1.1, a zero and the number follow the shortened comment. */
const NUMBER = 125;

/** The title, which is limited to 30 characters, and the number. Null without such a tag. */
export async function readId3v1(file: Blob) {
  const tag = file.size < LENGTH ? null : await bytesOf(file, file.size - LENGTH, file.size);
  if (!tag || latin1(tag.subarray(0, 3)) !== "TAG") return null;
  const [zero, number] = tag.subarray(NUMBER);
  const title = latin1(tag.subarray(3, TITLE_END)).replace(/\0.*$/s, "");
  return { title, number: zero === 0 && number ? number : null };
}

const latin1 = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes);
