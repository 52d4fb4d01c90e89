import type { FileOwner } from "#worker/files/library/references.ts";
import { pressItems } from "#worker/press/table.ts";

/** The columns that protect a file from deletion. */
export const pressFiles: FileOwner = {
  kind: "press",
  id: pressItems.id,
  title: pressItems.title,
  one: [],
  lists: [pressItems.embeddedFileIds],
};
