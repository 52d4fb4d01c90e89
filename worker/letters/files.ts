import type { FileOwner } from "#worker/files/library/references.ts";
import { letters } from "#worker/letters/table.ts";

/** The columns that protect a file from deletion: sent mails show it for years. */
export const letterFiles: FileOwner = {
  kind: "letter",
  id: letters.id,
  title: letters.subject,
  capabilityOf: () => "audience",
  one: [],
  lists: [letters.embeddedFileIds],
};
