import { embeddedFileIdsOf } from "#worker/files/embedded.ts";
import { renderMarkdown, type Pictures } from "#worker/platform/markdown.ts";

/** The content and the columns derived from it. */
export const renderedColumns = (content: string, pictures: Pictures) => ({
  content,
  contentHtml: renderMarkdown(content, pictures).html,
  embeddedFileIds: embeddedFileIdsOf(content),
});
