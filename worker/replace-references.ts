import { articlePlace } from "#worker/articles/replace-references.ts";
import { episodePlace, showPlace } from "#worker/episodes/replace-references.ts";
import type { FilePlaces } from "#worker/files/library/replace-references.ts";
import { letterPlace } from "#worker/letters/replace-references.ts";
import { pagePlace } from "#worker/pages/replace-references.ts";
import { pressPlace } from "#worker/press/replace-references.ts";
import { venturePlace } from "#worker/ventures/replace-references.ts";

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
