import type { EpisodeType } from "#worker/episodes/contract.ts";

export const typeNames: Record<EpisodeType, string> = {
  full: "Full episode",
  trailer: "Trailer",
  bonus: "Bonus",
};
