import { asc } from "drizzle-orm";
import { automaticLetters } from "#worker/automatic-letters/table.ts";
import { embeddedFileIdsOf } from "#worker/files/pictures/markdown-images.ts";
import { noun } from "#worker/nouns/noun.ts";

/** The columns derived from the content. */
export const derivedColumns = ({ content }: { content: string }) => ({
  embeddedFileIds: embeddedFileIdsOf(content),
});

export const automaticLetterNoun = noun({
  table: automaticLetters,
  title: "name",
  files: { kind: "automatic-letter", capabilityOf: () => "audience" },
  text: { column: "content", derive: derivedColumns },
  exported: { list: "automatic-letters.json", order: [asc(automaticLetters.id)] },
});
