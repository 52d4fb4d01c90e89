import { createContext, use, useSyncExternalStore } from "react";
import { Observable } from "../shell/observable.ts";

export type SoundState = {
  /** Seconds. */
  time: number;
  isPlaying: boolean;
  rate: number;
  hasFailed: boolean;
};

const initial: SoundState = { time: 0, isPlaying: false, rate: 1, hasFailed: false };

const EVENTS = ["timeupdate", "seeking", "seeked", "play", "pause", "ended", "ratechange", "error"] as const;

/** One audio element that is listened to while marks are set. */
export class Sound extends Observable {
  readonly #url: string;
  /** Seconds, as the file says. */
  readonly duration: number;
  #media: HTMLAudioElement | null = null;
  #state = initial;
  /** Where a part that is played alone ends. */
  #stopAt = Infinity;

  constructor(url: string, duration: number) {
    super();
    this.#url = url;
    this.duration = duration;
  }

  /** Made at its first use: until then nothing is loaded. */
  get media() {
    return (this.#media ??= this.#open());
  }

  #open() {
    const media = new Audio();
    media.preload = "metadata";
    media.src = this.#url;
    for (const name of EVENTS) media.addEventListener(name, this.#hear);
    return media;
  }

  readonly getState = () => this.#state;

  readonly #hear = () => {
    const { currentTime, paused, playbackRate, error } = this.media;
    this.#state = { time: currentTime, isPlaying: !paused, rate: playbackRate, hasFailed: error !== null };
    this.notify();
  };

  play(from?: number, to = Infinity) {
    if (from !== undefined) this.seek(from);
    this.#stopAt = to;
    this.media.play().catch((error: DOMException) => {
      // AbortError: it was paused before it sounded.
      if (error.name !== "AbortError") console.warn("sound:", error);
    });
    if (to < Infinity) requestAnimationFrame(this.#stopAtEnd);
  }

  /** More exact than the element's event, which fires four times a second. */
  readonly #stopAtEnd = () => {
    if (this.#stopAt === Infinity || this.media.paused) return;
    if (this.media.currentTime >= this.#stopAt) this.pause();
    else requestAnimationFrame(this.#stopAtEnd);
  };

  pause() {
    this.#stopAt = Infinity;
    this.media.pause();
  }

  toggle() {
    if (this.media.paused) this.play();
    else this.pause();
  }

  seek(time: number) {
    this.#stopAt = Infinity;
    this.media.currentTime = Math.min(Math.max(0, time), this.duration || Infinity);
  }

  skip(seconds: number) {
    this.seek(this.media.currentTime + seconds);
  }

  setRate(rate: number) {
    this.media.playbackRate = rate;
  }

  /** The position, in tenths of a second, as marks are set. */
  get position() {
    return toTenth(this.media.currentTime);
  }

  close() {
    const media = this.#media;
    if (!media) return;
    for (const name of EVENTS) media.removeEventListener(name, this.#hear);
    media.pause();
    media.removeAttribute("src");
    media.load();
    this.#media = null;
    this.#state = initial;
  }
}

export const toTenth = (seconds: number) => Math.round(seconds * 10) / 10;

/** Null if there is nothing to listen to. */
export const SoundContext = createContext<Sound | null>(null);
export const useSound = () => use(SoundContext);

const noSubscription = () => () => {};

/** What a component shows of it: it renders again only when that changes. */
export function useSoundState<T extends string | number | boolean>(
  sound: Sound | null,
  select: (state: SoundState) => T,
) {
  const read = () => select(sound?.getState() ?? initial);
  return useSyncExternalStore(sound?.subscribe ?? noSubscription, read, () => select(initial));
}
