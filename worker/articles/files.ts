import type { FileOwner } from "#worker/files/library/references.ts";
import { articles } from "#worker/articles/table.ts";

/** The columns that protect a file from deletion. */
export const articleFiles: FileOwner = {
  kind: "article",
  id: articles.id,
  title: articles.title,
  one: [articles.imageFileId],
  lists: [articles.embeddedFileIds],
};
