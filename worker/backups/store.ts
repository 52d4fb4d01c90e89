import { Manifest, type Piece } from "#worker/backups/contract.ts";
import { sha256 } from "#worker/backups/digests.ts";

/**
 * The bucket of copies:
 *
 * - `copies/NAME/database.sql`, `files.ndjson`, `manifest.json`: a copy
 * - `files/KEY`: a file, once for all copies, under its key in the bucket of files
 * - `work/NAME/…`: pieces of a copy that is being made
 */
export const COPIES = "copies/";
export const FILES = "files/";
export const WORK = "work/";

/** The files of a copy that are made of pieces. */
export type Part = "database.sql" | "files.ndjson";

export const partKey = (copy: string, part: Part) => `${COPIES}${copy}/${part}`;
export const manifestKey = (copy: string) => `${COPIES}${copy}/manifest.json`;

/** The folder of a copy. Its number orders the copies, since a clock may be wrong. */
export const copyName = (number: number, at: Date) =>
  `${String(number).padStart(6, "0")}-${at.toISOString().slice(0, 16).replace(":", "")}Z`;

export type Stored = { name: string; number: number; uploaded: Date };

/** An object of the bucket, and the copy that it belongs to. */
export type CopyObject = { key: string; copy: string; uploaded: Date };

export async function* listObjects(bucket: R2Bucket, prefix: string, startAfter?: string) {
  for (let cursor: string | undefined; ;) {
    const page = await bucket.list({ prefix, ...(cursor ? { cursor } : { startAfter }) });
    yield* page.objects;
    if (!page.truncated) return;
    cursor = page.cursor;
  }
}

/** All objects of copies. */
export async function listCopyObjects(bucket: R2Bucket): Promise<CopyObject[]> {
  const objects = await Array.fromAsync(listObjects(bucket, COPIES));
  return objects.map(({ key, uploaded }) => ({ key, uploaded, copy: key.split("/")[1] ?? "" }));
}

/** Stores an object. Under a lock it cannot be stored again by a step that is repeated: then it has to have this size. */
export async function putOnce(bucket: R2Bucket, key: string, content: Uint8Array) {
  try {
    await bucket.put(key, content);
  } catch (error) {
    if ((await bucket.head(key))?.size !== content.length) throw error;
  }
}

export const numberOf = (name: string) => Number.parseInt(name, 10) || 0;

/** The complete copies among these objects, the oldest first. */
export const copiesAmong = (objects: CopyObject[]): Stored[] =>
  objects
    .filter(({ key, copy }) => key === manifestKey(copy))
    .map(({ copy, uploaded }) => ({ name: copy, number: numberOf(copy), uploaded }))
    .toSorted((a, b) => a.number - b.number);

/** Something in the bucket differs from what was written there. The message is for the owner. */
export class Damage extends Error {}

/** @throws {Damage} */
export async function readManifest(bucket: R2Bucket, copy: string) {
  const object = await bucket.get(manifestKey(copy));
  if (!object) throw new Damage(`The copy ${copy} has no manifest.`);
  const text = await object.text();
  try {
    return Manifest.parse(JSON.parse(text));
  } catch {
    throw new Damage(`The manifest of the copy ${copy} can’t be read.`);
  }
}

/**
 * The text of a piece that begins at this byte.
 * @throws {Damage}
 */
export async function readPiece(bucket: R2Bucket, key: string, offset: number, piece: Piece) {
  const bytes = await readRange(bucket, key, offset, piece.bytes);
  if (bytes === null) throw new Damage(`${key} is missing or too short.`);
  if ((await sha256(bytes)) !== piece.sha256)
    throw new Damage(`${key} has changed since the copy was made, after byte ${offset}.`);
  return new TextDecoder().decode(bytes);
}

/** Bytes and pieces that one step reads: each piece is a request, and an invocation of the free plan has 50. */
const STEP_BYTES = 1_000_000;
const STEP_PIECES = 20;

/** Where reading an object by its pieces continues: the next piece, and its first byte. */
export type Reading = { at: number; offset: number };

/**
 * The next pieces of an object with their texts, and where to continue.
 * @throws {Damage}
 */
export async function readPieces<P extends Piece>(
  bucket: R2Bucket,
  key: string,
  { at, offset, pieces }: Reading & { pieces: P[] },
) {
  const read: { piece: P; text: string }[] = [];
  let bytes = 0;
  for (const piece of pieces.slice(at, at + STEP_PIECES)) {
    if (bytes > 0 && bytes + piece.bytes > STEP_BYTES) break;
    read.push({ piece, text: await readPiece(bucket, key, offset + bytes, piece) });
    bytes += piece.bytes;
  }
  return { read, next: { at: at + read.length, offset: offset + bytes } };
}

/** Null if the object has not all of them. */
export async function readRange(bucket: R2Bucket, key: string, offset: number, length: number) {
  if (length === 0) return (await bucket.head(key)) && new Uint8Array();
  const found = await bucket.get(key, { range: { offset, length } }).catch(async (error: unknown) => {
    // R2 refuses a range that begins after the end.
    const object = await bucket.head(key);
    if (object && object.size > offset) throw error;
    return null;
  });
  const bytes = found && new Uint8Array(await found.arrayBuffer());
  return bytes?.length === length ? bytes : null;
}
