import type { FileReferences } from "#worker/files/references.ts";
import { ventures } from "#worker/ventures/table.ts";

/** The columns that keep a file from being deleted. */
export const ventureFiles: FileReferences = {
  one: [ventures.imageFileId],
  lists: [],
};
