import type { FileReferences } from "#worker/files/references.ts";
import { revisions } from "#worker/revisions/table.ts";

/** The columns that keep a file from being deleted. */
export const revisionFiles: FileReferences = { one: [], lists: [revisions.fileIds] };
