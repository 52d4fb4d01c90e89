import type { Cue } from "#worker/episodes/contract.ts";
import { changedEpisodes } from "#worker/episodes/changed.ts";
import { replacePassages } from "#worker/episodes/passages.ts";
import { renderedColumns } from "#worker/episodes/rendered.ts";
import { episodes } from "#worker/episodes/table.ts";
import { readTranscript } from "#worker/episodes/transcript.ts";
import { AppError } from "#worker/platform/errors.ts";
import type { Pictures } from "#worker/platform/text/markdown.ts";
import type { StoredHtml } from "#worker/rendering/render-slice.ts";

type Episode = typeof episodes.$inferSelect;

export const episodeHtml: StoredHtml<Episode> = {
  table: episodes,
  markdown: "showNotes",
  render: renderedColumns,
  changed: (ctx, which) => [...changedEpisodes(ctx, which)],
};

/** What was stored as plain text by a version that did not know its format: JSON, TTML, ASS, LRC and others. */
export const episodeTranscript: StoredHtml<Episode> = {
  table: episodes,
  markdown: "transcript",
  render: readAgain,
  follow: (ctx, { id, updatedAt }, { cues }) => replacePassages(ctx, id, cues as Cue[], updatedAt),
  changed: (ctx, which) => [...changedEpisodes(ctx, which)],
};

function readAgain(episode: Episode, pictures: Pictures) {
  if (episode.transcript === "" || episode.cues.length > 0) return {};
  const read = timed(episode.transcript);
  if (!read) return {};
  const { showNotesText } = renderedColumns({ ...episode, ...read }, pictures);
  return { ...read, showNotesText };
}

/** Null for plain text, and for what the publish check names as unreadable. */
function timed(source: string) {
  try {
    const { transcript, cues } = readTranscript(source);
    return cues.length > 0 ? { transcript, cues } : null;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
