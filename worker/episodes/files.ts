import { episodes, shows } from "#worker/episodes/table.ts";
import type { FileReferences } from "#worker/files/references.ts";

/** The columns that keep a file from being deleted. */
export const episodeFiles: FileReferences = {
  one: [episodes.audioFileId, episodes.imageFileId, shows.artworkFileId],
  lists: [episodes.embeddedFileIds],
};
