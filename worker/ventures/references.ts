import type { FileReferences } from "#worker/files/references.ts";
import { ventures } from "#worker/ventures/table.ts";

/** The columns of this noun that keep a file from being swept. */
export const ventureFiles: FileReferences = [ventures.imageFileId];
