import type { FileReferences } from "#worker/files/references.ts";
import { pages } from "#worker/pages/table.ts";

/** The columns that keep a file from being deleted. */
export const pageFiles: FileReferences = {
  one: [],
  lists: [pages.embeddedFileIds],
};
