import type { ReportedEvent } from "../notes.ts";

/** The properties of an audio element that counting needs. */
export type Heard = Pick<HTMLMediaElement, "currentTime" | "duration" | "paused" | "played">;

type Tell = (episode: string, event: ReportedEvent) => void;

/** Fraction of an episode after which it is complete. */
const COMPLETE = 0.9;

/**
 * Reports plays, pauses and, once, the completion of an episode. An element may switch episodes, so the playing one and
 * its position are stored.
 */
export function createListening(tell: Tell) {
  const playing = new Map<Heard, { episode: string; seconds: number }>();
  /** Whether completion was reported, or the episode started past that point: then it was complete before loading. */
  const complete = new WeakMap<Heard, boolean>();
  let isShown = true;

  const tellAt = (seconds: number, episode: string, type: `podcast_${"play" | "pause" | "complete"}`) =>
    tell(episode, { type, metadata: { seconds: Math.round(seconds) } });

  function begin(audio: Heard, episode: string, seconds = audio.currentTime) {
    playing.set(audio, { episode, seconds });
    if (!complete.has(audio)) complete.set(audio, seconds >= COMPLETE * audio.duration);
    tellAt(seconds, episode, "podcast_play");
  }

  /**
   * Handles playback or a seek. The audio may have started before the listeners were added, or without a known episode.
   */
  function moves(audio: Heard, episode: string | undefined) {
    // Audio continues for a moment after its page is left.
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
    /** Handles audio that was played and paused before the listeners were added. */
    missed(audio: Heard, episode: string | undefined) {
      if (!audio.paused || !audio.played.length || !episode) return;
      begin(audio, episode, audio.played.start(0));
      moves(audio, episode);
      stops(audio);
    },
    /** The element switches to another episode. */
    empties(audio: Heard) {
      stops(audio, playing.get(audio)?.seconds);
      complete.delete(audio);
    },
    /** The page is shown again from the back/forward cache, or left. */
    show(shown: boolean) {
      isShown = shown;
      playing.forEach((_, audio) => stops(audio));
    },
  };
}
