import { FileLine } from "#worker/backups/contract.ts";
import { Damage, FILES, listObjects } from "#worker/backups/store.ts";

/** The files that a piece of `files.ndjson` names. */
export const filesOf = (text: string) =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => FileLine.parse(JSON.parse(line)));

/**
 * Finds all of these files, in the order of their keys, in the bucket of copies.
 * @throws {Damage} if one is missing, or is not the object that was stored
 */
export async function listedFiles(bucket: R2Bucket, files: FileLine[]) {
  const [first, last] = [files[0]?.key, files.at(-1)?.key];
  if (first === undefined || last === undefined) return;
  const found = new Map<string, R2Object>();
  // The list begins after a key, so just before the first.
  for await (const object of listObjects(bucket, FILES, FILES + first.slice(0, -1))) {
    found.set(object.key, object);
    if (object.key >= FILES + last) break;
  }
  for (const { key, bytes, etag } of files) {
    const object = found.get(FILES + key);
    if (!object) throw new Damage(`The file ${key} is missing in the bucket of copies.`);
    if (object.size !== bytes || object.etag !== etag)
      throw new Damage(`The file ${key} in the bucket of copies is not the one that was copied.`);
  }
}
