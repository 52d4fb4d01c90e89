import type { FileOwner } from "#worker/files/library/references.ts";
import { files } from "#worker/files/table.ts";

/** An audio file keeps the pictures that were found inside it. */
export const artworkFiles: FileOwner = {
  kind: "file",
  id: files.id,
  title: files.name,
  one: [files.artworkFileId],
  lists: [files.chapterPictureIds],
};
