import { htmlToMarkdown, textToMarkdown } from "../to-markdown.ts";
import { readArchive } from "./archive.ts";
import type { Connector } from "./post.ts";
import { postsOf } from "./posts.ts";

/** The posts and articles of the archive that LinkedIn lets its members download. */
export const archiveConnector = (file: File): Connector => ({
  source: file.name,
  async read({ onFound }) {
    await onFound(await postsOf(await readArchive(file), new Date(), { htmlToMarkdown, textToMarkdown }));
  },
});
