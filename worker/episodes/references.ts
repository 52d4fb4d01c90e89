import { episodes, shows } from "#worker/episodes/table.ts";
import type { FileReferences } from "#worker/files/references.ts";

/** The columns of this noun that keep a file from being swept. */
export const fileReferences: FileReferences = [
  episodes.audioFileId,
  episodes.imageFileId,
  shows.artworkFileId,
];
