import { createHash } from "node:crypto";
import { embeddedFileIdsOf } from "#worker/files/pictures/markdown-images.ts";
import type { FieldChange } from "#worker/revisions/contract.ts";
import type { Digest } from "#worker/revisions/table.ts";

/** Characters of a hash: 60 bits, among the versions of one item. */
const HASH = 10;
/** Minimum characters of a field whose words are counted. */
const LONG = 200;

export function digestOf(values: object): Digest {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present.map(([field, value]) => [field, [hashOf(value), wordsOf(value)]]));
}

/** By Node's hash: a call of Web Crypto for each of twenty fields takes as long as rendering the text. */
const hashOf = (value: unknown) =>
  createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, HASH);

const wordsOf = (value: unknown) =>
  typeof value === "string" && value.length >= LONG ? (value.match(/\S+/g)?.length ?? 0) : null;

/** The differing fields that both versions have, in the order of the newer one. */
export function changesBetween(before: Digest, after: Digest): FieldChange[] {
  return Object.keys(after)
    .filter((field) => before[field] && before[field][0] !== after[field]?.[0])
    .map((field) => {
      const words = [before[field]?.[1] ?? null, after[field]?.[1] ?? null];
      const isText = words.some((count) => count !== null);
      return { field, words: isText ? (words[1] ?? 0) - (words[0] ?? 0) : null };
    });
}

export const isSame = (before: Digest, after: Digest) => changesBetween(before, after).length === 0;

/** Whether a third of the words was lost, perhaps by mistake. */
export function hasLostWords(before: Digest, after: Digest) {
  const total = (digest: Digest) => Object.values(digest).reduce((sum, [, words]) => sum + (words ?? 0), 0);
  return total(after) < (total(before) * 2) / 3;
}

/** Too large to store for versions alone, and a replaced recording must be deleted. */
const NOT_KEPT = "audioFileId";

/** The ids of the files that a version protects: in id fields and in its texts. `json`: the values as such. */
export function fileIdsOf(values: object, json: string) {
  const named = Object.entries(values).flatMap(([field, value]) =>
    field.endsWith("FileId") && field !== NOT_KEPT && typeof value === "string" ? [value] : [],
  );
  return [...new Set([...named, ...embeddedFileIdsOf(json)])];
}
