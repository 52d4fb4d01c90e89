import type { FileReferences } from "#worker/files/library/references.ts";
import { revisions } from "#worker/revisions/table.ts";

/** The column that protects a former version's pictures from deletion. */
export const revisionFiles: FileReferences["versions"] = {
  id: revisions.id,
  kind: revisions.kind,
  item: revisions.item,
  list: revisions.fileIds,
};
