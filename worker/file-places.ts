import { articlePlace } from "#worker/articles/file-place.ts";
import { episodePlace, showPlace } from "#worker/episodes/file-place.ts";
import type { FilePlaces } from "#worker/files/moves.ts";
import { letterPlace } from "#worker/letters/file-place.ts";
import { pagePlace } from "#worker/pages/file-place.ts";
import { pressPlace } from "#worker/press/file-place.ts";
import { venturePlace } from "#worker/ventures/file-place.ts";

/** How each kind of item has one file take another's place. */
export const filePlaces: FilePlaces = {
  article: articlePlace,
  episode: episodePlace,
  show: showPlace,
  press: pressPlace,
  page: pagePlace,
  venture: venturePlace,
  letter: letterPlace,
};
