import type { Paragraph } from "#worker/episodes/paragraphs.ts";

/** On the server, the HTML of a transcript's lines, by its paragraphs (write-transcript.server.ts). */
const written = /* @__PURE__ */ new WeakMap<Paragraph[], string>();

export const noteWritten = (paragraphs: Paragraph[], html: string) => void written.set(paragraphs, html);
export const writtenLines = (paragraphs: Paragraph[]) => written.get(paragraphs);
