import { articleFiles } from "#worker/articles/files.ts";
import { episodeFiles, showFiles } from "#worker/episodes/files.ts";
import { artworkFiles } from "#worker/files/pictures/artwork-files.ts";
import type { FileReferences } from "#worker/files/library/references.ts";
import { letterFiles } from "#worker/letters/files.ts";
import { pageFiles } from "#worker/pages/files.ts";
import { pressFiles } from "#worker/press/files.ts";
import { revisionFiles } from "#worker/revisions/files.ts";
import { ventureFiles } from "#worker/ventures/files.ts";

/** Every column that keeps a file from being deleted. A noun with files adds its own here. */
export const fileReferences: FileReferences = {
  owners: [
    articleFiles,
    episodeFiles,
    showFiles,
    pressFiles,
    pageFiles,
    ventureFiles,
    letterFiles,
    artworkFiles,
  ],
  versions: revisionFiles,
};
