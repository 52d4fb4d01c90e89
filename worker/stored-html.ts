import { articleHtml } from "#worker/articles/stored-html.ts";
import { episodeHtml, episodeTranscript } from "#worker/episodes/stored-html.ts";
import { letterHtml } from "#worker/letters/stored-html.ts";
import { pressHtml } from "#worker/press/stored-html.ts";
import type { StoredHtml } from "#worker/rendering/render-slice.ts";

/** The nouns whose Markdown is stored as HTML, too, and the transcripts that are stored with their cues. */
export const storedHtml: Record<string, StoredHtml> = {
  article: articleHtml,
  episode: episodeHtml,
  transcript: episodeTranscript,
  press: pressHtml,
  letter: letterHtml,
};
