import { articleFiles } from "#worker/articles/files.ts";
import { episodeFiles } from "#worker/episodes/files.ts";
import type { FileReferences } from "#worker/files/references.ts";
import { letterFiles } from "#worker/letters/files.ts";
import { pageFiles } from "#worker/pages/files.ts";
import { pressFiles } from "#worker/press/files.ts";
import { revisionFiles } from "#worker/revisions/files.ts";
import { ventureFiles } from "#worker/ventures/files.ts";

/** Every column that keeps a file from being deleted. A noun with files adds its own here. */
const nouns = [episodeFiles, articleFiles, pressFiles, pageFiles, ventureFiles, letterFiles, revisionFiles];

export const fileReferences: FileReferences = {
  one: nouns.flatMap(({ one }) => one),
  lists: nouns.flatMap(({ lists }) => lists),
};
