/**
 * Clips are files in the library, which belong to an episode by their name. The number is inside one word, because the
 * library's search finds beginnings of words: those of episode 52 would be found for 5.
 */
export const clipWord = (episodeId: number | string) => `episode${episodeId}clip`;

/** Such as `episode5clip-1m05s-square.mp4`. `from` in seconds. */
export function clipName(
  episodeId: number,
  { from, shape, extension }: { from: number; shape: string; extension: string },
) {
  const seconds = Math.floor(from);
  const time = `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, "0")}s`;
  return `${clipWord(episodeId)}-${time}-${shape}.${extension}`;
}
