import type { FileOwner } from "#worker/files/library/references.ts";
import { episodes, shows } from "#worker/episodes/table.ts";

/** The columns that keep a file from being deleted. */
export const episodeFiles: FileOwner = {
  kind: "episode",
  id: episodes.id,
  title: episodes.title,
  one: [episodes.audioFileId, episodes.imageFileId],
  lists: [episodes.embeddedFileIds],
};

export const showFiles: FileOwner = {
  kind: "show",
  id: shows.id,
  title: shows.title,
  one: [shows.artworkFileId],
  lists: [],
};
