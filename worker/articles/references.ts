import { articles } from "#worker/articles/table.ts";
import type { FileReferences } from "#worker/files/references.ts";

/** The columns of this noun that keep a file from being swept. */
export const articleFiles: FileReferences = [articles.imageFileId];
