import { articleHtml } from "#worker/articles/stored-html.ts";
import { episodeHtml } from "#worker/episodes/stored-html.ts";
import { letterHtml } from "#worker/letters/stored-html.ts";
import { pressHtml } from "#worker/press/stored-html.ts";
import type { StoredHtml } from "#worker/rendering/render-slice.ts";

/** The nouns whose Markdown is stored as HTML, too. */
export const storedHtml: Record<string, StoredHtml> = {
  article: articleHtml,
  episode: episodeHtml,
  press: pressHtml,
  letter: letterHtml,
};
