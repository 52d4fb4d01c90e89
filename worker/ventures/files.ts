import type { FileOwner } from "#worker/files/library/references.ts";
import { ventures } from "#worker/ventures/table.ts";

/** The columns that protect a file from deletion. */
export const ventureFiles: FileOwner = {
  kind: "venture",
  id: ventures.id,
  title: ventures.name,
  one: [ventures.imageFileId],
  lists: [],
};
