import { trackOf } from "#site/player/core/playback.ts";
import { usePlayQueue } from "#site/player/use-play.ts";
import type { EpisodeSummary } from "#worker/episodes/contract.ts";

export const hasAudio = ({ audioUrl }: EpisodeSummary) => audioUrl !== null;

/** Plays the episodes as a new queue; several are a list. `show` is the show's name. */
export function usePlayEpisodes(show: string) {
  const playQueue = usePlayQueue();
  return (episodes: EpisodeSummary[]) =>
    playQueue(
      episodes.map((episode) => trackOf(episode, show)),
      { isList: episodes.length > 1 },
    );
}
