import type { Row } from "#worker/platform/data/schema.ts";

/** SHA-256 in hexadecimal digits. */
export async function sha256(data: string | Uint8Array) {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>)).toHex();
}

/** Bytes of a file that are copied and hashed at a time: R2's smallest part. */
export const FILE_PIECE = 5 * 1024 * 1024;

/**
 * The hash of a file, from those of its pieces of 5 MiB: of a single piece that piece's, of more the SHA-256 of their
 * digests, followed by their number, as S3 defines a composite checksum. A hash over the whole file could not be
 * continued by the next invocation.
 */
export async function fileHash(pieces: string[]) {
  if (pieces.length === 1) return pieces[0]!;
  return `${await sha256(Uint8Array.fromHex(pieces.join("")))}-${pieces.length}`;
}

/** The digest of a table's pages up to this one. Each row is its rowid and the list of its values as SQL literals. */
export const pageHash = (before: string, rows: Row[]) => sha256(`${before}\n${rows.map(lineOf).join("\n")}`);

function lineOf(row: Row) {
  const { through: _, ...values } = row;
  return Object.values(values).join(",");
}
