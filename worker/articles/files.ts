import { articles } from "#worker/articles/table.ts";
import type { FileReferences } from "#worker/files/references.ts";

/** The columns that keep a file from being deleted. */
export const articleFiles: FileReferences = {
  one: [articles.imageFileId],
  lists: [articles.embeddedFileIds],
};
