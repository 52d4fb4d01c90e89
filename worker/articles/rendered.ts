import { readingMinutesOf } from "#worker/articles/text.ts";
import { embeddedFileIdsOf } from "#worker/files/embedded.ts";
import { renderMarkdown, type Pictures } from "#worker/platform/markdown.ts";

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
