/**
 * A press on Play before the player is mounted, which is a moment after hydration. Browsers let only a press start a sound, so
 * `inline/early-play.ts` creates the audio element in its handler, and the player adopts that element.
 */

/** Key of the player's saved state in localStorage: see `player/player-json.ts`. */
export const STORAGE_KEY = "player";

/** Attribute of a button: the address of the audio that it plays. */
export const PLAYS = "data-plays";
/** Attribute of such a button: the start in seconds. */
const PLAYS_FROM = "data-plays-from";

export type EarlyPlay = {
  audio: HTMLAudioElement;
  /** The address in the page. */
  src: string;
  /** Seconds. */
  from: number;
  /** True after a second press. */
  isPaused: boolean;
};

declare global {
  interface Window {
    earlyPlay?: EarlyPlay;
    /** Whether the player has its audio element; it then handles all presses. */
    hasPlayer?: boolean;
  }
}

/** Attributes of a button that plays `audioUrl`, from `from` seconds. */
export const playAttributes = (audioUrl: string, from?: number) => ({
  [PLAYS]: audioUrl,
  ...(from !== undefined && { [PLAYS_FROM]: from }),
});

/** Takes the early audio, once; undefined if none plays `audioUrl`. */
export function takeEarlyPlay(audioUrl: string | null) {
  const { earlyPlay } = window;
  if (!earlyPlay) return undefined;
  window.earlyPlay = undefined;
  if (earlyPlay.src === audioUrl && !earlyPlay.audio.error) return earlyPlay;
  earlyPlay.audio.pause();
  return undefined;
}
