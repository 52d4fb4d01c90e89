import { embeddedFileIdsOf } from "#worker/files/pictures/markdown-images.ts";
import { renderMarkdown, type Pictures } from "#worker/platform/text/markdown.ts";

/** The content and the columns derived from it. */
export function renderedColumns(content: string, pictures: Pictures) {
  const { html, text } = renderMarkdown(content, pictures);
  return {
    content,
    contentHtml: html,
    contentText: text,
    embeddedFileIds: embeddedFileIdsOf(content),
  };
}
