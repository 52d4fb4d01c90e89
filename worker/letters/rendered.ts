import { embeddedFileIdsOf } from "#worker/files/pictures/markdown-images.ts";
import { renderMarkdown, type Pictures } from "#worker/platform/text/markdown.ts";

/** The content and the columns derived from it. */
export const renderedColumns = (content: string, pictures: Pictures) => ({
  content,
  contentHtml: renderMarkdown(content, pictures).html,
  embeddedFileIds: embeddedFileIdsOf(content),
});
