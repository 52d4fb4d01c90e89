import { maxBytes } from "#worker/files/contract.ts";

/**
 * Few bytes instead of a picture in what a metadata parser sees: one that is too large to be held in memory, or that
 * the file repeats.
 */
export type StandIn =
  | { is: "large" }
  | { is: "beyond" }
  | { is: "long-tag" }
  | { is: "repeated"; digest: string };

/** A parser drops pictures of unknown formats, so it begins like a JPEG, but continues like no picture. */
const JPEG = [0xff, 0xd8, 0xff];
const MARK = "stand-in ";

export function writeStandIn(standIn: StandIn) {
  const words = `${MARK}${standIn.is} ${standIn.is === "repeated" ? standIn.digest : ""}`;
  return new Uint8Array([...JPEG, ...new TextEncoder().encode(words)]);
}

/** Null for a picture. */
export function readStandIn(data: Uint8Array): StandIn | null {
  if (data.length > 200) return null;
  const text = new TextDecoder("latin1").decode(data.subarray(JPEG.length));
  if (!JPEG.every((byte, at) => data[at] === byte) || !text.startsWith(MARK)) return null;
  const [is, digest = ""] = text.slice(MARK.length).split(" ");
  if (is === "large" || is === "beyond" || is === "long-tag") return { is };
  return is === "repeated" ? { is, digest } : null;
}

/** SHA-256 in hexadecimal digits. */
export const digestOf = async (data: Uint8Array) =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", data as Uint8Array<ArrayBuffer>)).toHex();

/** Bytes of the largest picture that is extracted from a file, with its description: one that an upload may have. */
export const LONGEST_PICTURE = maxBytes("podcast-images") + 64 * 1024;
/** Of the pictures of all chapters of a file, and of a tag of which each byte is encoded. */
export const LONGEST_CHAPTER_PICTURES_MB = 16;
export const LONGEST_TAG_MB = 16;
