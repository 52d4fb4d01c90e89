/**
 * A press on Play before React has hydrated the page. Browsers let only a press start a sound, so
 * `inline/early-play.ts` creates the audio element within it, and the player adopts that element.
 */

/** Key of the player's saved state in localStorage: see `player/kept.ts`. */
export const STORAGE_KEY = "player";

/** Attribute of a button: the address of the audio that it plays. */
export const PLAYS = "data-plays";
/** Attribute of such a button: where it starts, in seconds. */
export const PLAYS_FROM = "data-plays-from";

export type EarlyPlay = {
  audio: HTMLAudioElement;
  /** The address as the page has it. */
  src: string;
  /** Seconds. */
  from: number;
  /** A second press has paused it. */
  isPaused: boolean;
};

declare global {
  interface Window {
    earlyPlay?: EarlyPlay;
  }
}

/** The attributes of a button that plays this. */
export const playAttributes = (audioUrl: string, from?: number) => ({
  [PLAYS]: audioUrl,
  ...(from !== undefined && { [PLAYS_FROM]: from }),
});

/** What an early press has started, once; undefined where nothing plays this audio already. */
export function takeEarlyPlay(audioUrl: string | null) {
  const { earlyPlay } = window;
  if (!earlyPlay) return undefined;
  window.earlyPlay = undefined;
  if (earlyPlay.src === audioUrl && !earlyPlay.audio.error) return earlyPlay;
  earlyPlay.audio.pause();
  return undefined;
}
