import type { FileReferences } from "#worker/files/library/references.ts";
import { revisions } from "#worker/revisions/table.ts";

/** A former version protects the files in it from deletion, since it can be restored. */
export const versionsWithFiles: FileReferences["versions"] = {
  id: revisions.id,
  kind: revisions.kind,
  item: revisions.item,
  list: revisions.fileIds,
};
