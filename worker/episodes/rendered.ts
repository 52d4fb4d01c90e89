import type { episodes } from "#worker/episodes/table.ts";
import { isSound } from "#worker/episodes/transcript-input/offered-voices.ts";
import { linkTimestamps } from "#worker/episodes/timestamps.ts";
import { embeddedFileIdsOf } from "#worker/files/pictures/markdown-images.ts";
import { renderMarkdown, type Pictures } from "#worker/platform/text/markdown.ts";

type Noted = Pick<
  typeof episodes.$inferSelect,
  "showNotes" | "durationSeconds" | "chapters" | "transcript" | "cues"
>;

/** What is made of the show notes and the chapters. */
export function renderedColumns(episode: Noted, pictures: Pictures) {
  const { showNotes, durationSeconds, chapters, transcript, cues } = episode;
  const { html, text } = renderMarkdown(showNotes, pictures, linkTimestamps(durationSeconds));
  return {
    showNotesHtml: html,
    // A transcript without times is found with the notes; one with times, by its passages.
    showNotesText: cues.length > 0 ? text : `${text}\n${spokenOf(transcript)}`.trim(),
    embeddedFileIds: embeddedFileIdsOf([showNotes, ...chapters.map(({ img }) => img ?? "")].join("\n")),
  };
}

/** A transcript without the lines that name a sound. */
const spokenOf = (transcript: string) =>
  transcript
    .split("\n")
    .filter((line) => !isSound(line))
    .join("\n");
