import type { FileOwner } from "#worker/files/library/references.ts";
import { capabilityOf } from "#worker/pages/contract.ts";
import { pages } from "#worker/pages/table.ts";

/** The columns that protect a file from deletion. */
export const pageFiles: FileOwner = {
  kind: "page",
  id: pages.slug,
  capabilityOf,
  one: [],
  lists: [pages.embeddedFileIds],
};
