import type { FileReferences } from "#worker/files/references.ts";
import { revisions } from "#worker/revisions/table.ts";

/** The column by which a former version keeps its pictures. */
export const revisionFiles: FileReferences["versions"] = {
  id: revisions.id,
  kind: revisions.kind,
  item: revisions.item,
  list: revisions.fileIds,
};
