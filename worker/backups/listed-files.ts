import { FileLine } from "#worker/backups/contract.ts";
import { FILES, listObjects } from "#worker/backups/store.ts";

/** The files that a piece of `files.ndjson` names. */
export const filesOf = (text: string) =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => FileLine.parse(JSON.parse(line)));

/**
 * Looks up these files, in the order of their keys, in the bucket of copies. Returns those that are missing, or are not
 * the object that was stored.
 */
export async function damagedFiles(bucket: R2Bucket, files: FileLine[]) {
  const [first, last] = [files[0]?.key, files.at(-1)?.key];
  if (first === undefined || last === undefined) return [];
  const found = new Map<string, R2Object>();
  // The list begins after a key, so just before the first.
  for await (const object of listObjects(bucket, FILES, FILES + first.slice(0, -1))) {
    found.set(object.key, object);
    if (object.key >= FILES + last) break;
  }
  return files.flatMap(({ key, bytes, etag }) => {
    const object = found.get(FILES + key);
    if (!object) return [{ key, problem: `The file ${key} is missing in the bucket of copies.` }];
    if (object.size !== bytes || object.etag !== etag)
      return [{ key, problem: `The file ${key} in the bucket of copies is not the one that was copied.` }];
    return [];
  });
}
