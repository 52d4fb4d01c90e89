import type { Told } from "../notes.ts";

/** An audio element, as far as it is counted. */
export type Heard = Pick<HTMLMediaElement, "currentTime" | "duration" | "paused" | "played">;

type Tell = (episode: string, told: Told) => void;

/** Fraction of an episode after which it is complete. */
const COMPLETE = 0.9;

/**
 * Tells when an episode is played, paused, and once that it is complete. An element goes on to other episodes, so the one
 * that played is remembered, and where it was.
 */
export function createListening(tell: Tell) {
  const playing = new Map<Heard, { episode: string; seconds: number }>();
  /** Whether it was told so, or began beyond that: then it was complete before its recording was loaded. */
  const complete = new WeakMap<Heard, boolean>();
  let isShown = true;

  const tellAt = (seconds: number, episode: string, type: `podcast_${"play" | "pause" | "complete"}`) =>
    tell(episode, { type, metadata: { seconds: Math.round(seconds) } });

  function begin(audio: Heard, episode: string, seconds = audio.currentTime) {
    playing.set(audio, { episode, seconds });
    if (!complete.has(audio)) complete.set(audio, seconds >= COMPLETE * audio.duration);
    tellAt(seconds, episode, "podcast_play");
  }

  /** It plays, or has come to another place: it may have begun before anybody listened, or been of no known episode. */
  function moves(audio: Heard, episode: string | undefined) {
    // After its page is left, a sound goes on for a moment.
    if (isShown && !playing.has(audio) && !audio.paused && episode) begin(audio, episode);
    const state = playing.get(audio);
    if (!state) return;
    state.seconds = audio.currentTime;
    const isComplete = audio.currentTime >= COMPLETE * audio.duration;
    if (!isComplete || complete.get(audio)) return;
    complete.set(audio, true);
    tellAt(state.seconds, state.episode, "podcast_complete");
  }

  function stops(audio: Heard, seconds = audio.currentTime) {
    const state = playing.get(audio);
    if (!state) return;
    playing.delete(audio);
    tellAt(seconds, state.episode, "podcast_pause");
  }

  return {
    moves,
    stops,
    /** It may have been played and paused before anybody listened. */
    missed(audio: Heard, episode: string | undefined) {
      if (!audio.paused || !audio.played.length || !episode) return;
      begin(audio, episode, audio.played.start(0));
      moves(audio, episode);
      stops(audio);
    },
    /** It goes on to another episode. */
    empties(audio: Heard) {
      stops(audio, playing.get(audio)?.seconds);
      complete.delete(audio);
    },
    /** The page is shown again, from the browser's memory, or left. */
    show(shown: boolean) {
      isShown = shown;
      playing.forEach((_, audio) => stops(audio));
    },
  };
}
