import { eq } from "drizzle-orm";
import { changedEpisodes } from "#worker/episodes/changed.ts";
import type { Cue } from "#worker/episodes/contract.ts";
import { replacePassages } from "#worker/episodes/passages.ts";
import { episodes } from "#worker/episodes/table.ts";
import { readTranscript } from "#worker/episodes/transcript.ts";
import { isSound } from "#worker/episodes/transcript-input/offered-voices.ts";
import { linkTimestamps } from "#worker/episodes/timestamps.ts";
import { embeddedFileIdsOf } from "#worker/files/pictures/markdown-images.ts";
import { AppError } from "#worker/platform/errors.ts";
import { renderMarkdown, type Pictures } from "#worker/platform/text/markdown.ts";
import type { StoredHtml } from "#worker/rendering/render-slice.ts";

type Episode = typeof episodes.$inferSelect;
type Noted = Pick<
  Episode,
  "showNotes" | "durationSeconds" | "chapters" | "transcript" | "cues" | "alternates"
>;

/** The columns that are derived from the show notes, the chapters, further files and the length of the recording. */
export function renderedColumns(episode: Noted, pictures: Pictures) {
  const { showNotes, durationSeconds, chapters, transcript, cues, alternates } = episode;
  const { html, text } = renderMarkdown(showNotes, pictures, linkTimestamps(durationSeconds));
  return {
    showNotesHtml: html,
    // A transcript without times is found with the notes; one with times, by its passages.
    showNotesText: cues.length > 0 ? text : `${text}\n${spokenOf(transcript)}`.trim(),
    embeddedFileIds: embeddedFileIdsOf(
      [showNotes, ...chapters.map(({ img }) => img ?? ""), ...alternates.map(({ url }) => url)].join("\n"),
    ),
  };
}

/**
 * Whether they are the stored ones. Those of notes with pictures may differ: their smaller copies are made after the
 * notes were saved.
 */
export function isRenderedAlike(stored: Episode, episode: Noted) {
  const plainOf = ({ transcript, cues }: Noted) => (cues.length > 0 ? "" : transcript);
  const sourceOf = (each: Noted) => [
    each.showNotes,
    each.durationSeconds,
    each.chapters,
    each.alternates,
    plainOf(each),
  ];
  return (
    stored.embeddedFileIds.length === 0 &&
    JSON.stringify(sourceOf(stored)) === JSON.stringify(sourceOf(episode))
  );
}

/** A transcript without the lines that name a sound. */
const spokenOf = (transcript: string) =>
  transcript
    .split("\n")
    .filter((line) => !isSound(line))
    .join("\n");

/**
 * Transcripts that an older version, which did not know their format, stored as plain text: JSON, TTML, ASS, LRC and
 * others.
 */
export const transcriptHtml: StoredHtml<Episode> = {
  table: episodes,
  markdown: "transcript",
  alsoFrom: ["showNotes", "durationSeconds"],
  render: readAgain,
  follow: (ctx, { id }, { transcript, cues }) =>
    replacePassages(ctx, id, cues as Cue[], eq(episodes.transcript, transcript as string)),
  changed: (ctx, which) => [...changedEpisodes(ctx, which)],
};

function readAgain(episode: Episode, pictures: Pictures) {
  if (episode.transcript === "" || episode.cues.length > 0) return {};
  const read = timed(episode.transcript);
  if (!read) return {};
  const { showNotesText } = renderedColumns({ ...episode, ...read }, pictures);
  return { ...read, showNotesText };
}

/** Null for plain text, also where it only seems to have times, and for what the publish check names as unreadable. */
function timed(source: string) {
  try {
    const { transcript, cues } = readTranscript(source, { guessedWithin: 0 });
    return cues.length > 0 ? { transcript, cues } : null;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
