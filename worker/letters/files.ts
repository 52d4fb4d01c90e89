import type { FileReferences } from "#worker/files/references.ts";
import { letters } from "#worker/letters/table.ts";

/** The columns that keep a file from being deleted. */
export const letterFiles: FileReferences = {
  one: [],
  lists: [letters.embeddedFileIds],
};
