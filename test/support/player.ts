import type { Track } from "#site/player/core/playback.ts";

/** An episode as the player has it. */
export const track = (id: number, overrides: Partial<Track> = {}): Track => ({
  id,
  title: `Episode ${id}`,
  episodeNumber: id,
  picture: null,
  audioUrl: `/media/${id}.mp3`,
  show: "Plain Ground",
  ...overrides,
});
