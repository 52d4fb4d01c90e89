import { readingMinutesOf } from "#worker/articles/text.ts";
import { embeddedFileIdsOf } from "#worker/files/pictures/markdown-images.ts";
import { renderMarkdown, type Pictures } from "#worker/platform/text/markdown.ts";

/** The columns derived from the content. */
export function renderedColumns(content: string, pictures: Pictures) {
  const { html, text } = renderMarkdown(content, pictures);
  return {
    contentHtml: html,
    contentText: text,
    embeddedFileIds: embeddedFileIdsOf(content),
    readingMinutes: readingMinutesOf(text),
  };
}
