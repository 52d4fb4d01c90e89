import type { EpisodeType } from "#worker/episodes/contract.ts";
import type { Words } from "../form/submit.ts";

export const typeNames: Record<EpisodeType, string> = {
  full: "Full episode",
  trailer: "Trailer",
  bonus: "Bonus",
};

/** The specification's words for errors of the podcast's forms. */
export const errorWords: Words = { toast: (message) => `Error: ${message}` };
