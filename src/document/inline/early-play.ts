/**
 * Plays at a press on Play until the player is there (`../early-play.ts`). A stored episode resumes at its stored position,
 * volume and speed.
 */
import type { EarlyPlay, PLAYS, STORAGE_KEY } from "../early-play.ts";

const button: `[${typeof PLAYS}]` = "[data-plays]";
const key: typeof STORAGE_KEY = "player";

type Stored = {
  queue: { tracks: { audioUrl: string }[]; index: number };
  currentTime: number;
  volume: number;
  rate: number;
};

/** The stored state, if it is this episode's. The player validates it later. */
const storedOf = (src: string) => {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? "null") as Stored | null;
    if (stored?.queue.tracks[stored.queue.index]?.audioUrl === src) return stored;
  } catch {
    // Storage is forbidden or malformed.
  }
  return null;
};

/** Applies the stored volume and speed; ignores malformed values. */
const applySound = (audio: HTMLAudioElement, { volume, rate: playbackRate }: Stored) => {
  try {
    Object.assign(audio, { volume, playbackRate, defaultPlaybackRate: playbackRate });
  } catch {
    // Out of range.
  }
};

const start = (src: string, given: string | undefined): EarlyPlay => {
  const audio = new Audio(src);
  const stored = storedOf(src);
  const from = Number(given ?? stored?.currentTime ?? 0);
  if (stored) applySound(audio, stored);
  if (from > 0 && from < Infinity) {
    audio.addEventListener("loadedmetadata", () => (audio.currentTime = from), { once: true });
  }
  return { audio, src, from, isPaused: false };
};

const press = ({ target, isTrusted }: Event) => {
  const { plays, playsFrom } = (target as Element).closest<HTMLElement>(button)?.dataset ?? {};
  // `hydrate.ts` repeats the press with an untrusted event.
  if (!plays || !isTrusted || window.hasPlayer) return;
  const before = window.earlyPlay;
  const isSame = before?.src === plays && playsFrom === undefined;
  before?.audio.pause();
  if (isSame && !before.isPaused) {
    before.isPaused = true;
    return;
  }
  const play = isSame ? before : start(plays, playsFrom);
  play.isPaused = false;
  window.earlyPlay = play;
  // The player calls play() again and shows the error.
  play.audio.play().catch(() => {});
};

// Turns `#t=90`, a media fragment that browsers do not send, into a query. No anchor of the site has `=` there.
const leadToMoment = () => {
  if (location.hash[2] === "=") location.replace(location.hash.replace("#", "?"));
};
leadToMoment();
addEventListener("hashchange", leadToMoment);

addEventListener("click", press, true);
