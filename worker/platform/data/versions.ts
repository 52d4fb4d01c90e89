import { isDeepStrictEqual } from "node:util";
import type { AppError } from "#worker/platform/errors.ts";

type Update = {
  /** The `updatedAt` of the version that the update was made from; undefined to overwrite any version. */
  basedOn: number | undefined;
  stored: { updatedAt: Date };
  /** The new values, read only if they are compared. Undefined values are not compared. */
  given: () => object;
  changedElsewhere: () => AppError;
};

/**
 * Whether an update is already stored: its response was lost, and the client sends it again.
 * @throws `changedElsewhere`, when the stored version is neither `basedOn` nor what is given
 */
export function isRepeated({ basedOn, stored, given, changedElsewhere }: Update) {
  if (basedOn === undefined || basedOn === stored.updatedAt.getTime()) return false;
  const values: Record<string, unknown> = stored;
  const isStored = ([name, value]: [string, unknown]) =>
    value === undefined || isDeepStrictEqual(value, values[name]);
  if (!Object.entries(given()).every(isStored)) throw changedElsewhere();
  return true;
}
