import type { FileReferences } from "#worker/files/references.ts";
import { pressItems } from "#worker/press/table.ts";

/** The columns that keep a file from being deleted. */
export const pressFiles: FileReferences = {
  one: [],
  lists: [pressItems.embeddedFileIds],
};
