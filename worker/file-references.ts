import { articles } from "#worker/articles/table.ts";
import { episodes, shows } from "#worker/episodes/table.ts";
import type { FileReferences } from "#worker/files/references.ts";
import { pages } from "#worker/pages/table.ts";
import { pressItems } from "#worker/press/table.ts";
import { ventures } from "#worker/ventures/table.ts";

/** Everything that keeps a file from being removed. A noun that holds on to files adds its columns here. */
export const fileReferences: FileReferences = {
  one: [
    episodes.audioFileId,
    episodes.imageFileId,
    shows.artworkFileId,
    articles.imageFileId,
    ventures.imageFileId,
  ],
  lists: [
    episodes.embeddedFileIds,
    articles.embeddedFileIds,
    pressItems.embeddedFileIds,
    pages.embeddedFileIds,
  ],
};
