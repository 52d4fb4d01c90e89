/**
 * Plays at the first press on Play, before React is there (`../early-play.ts`). An episode that an earlier visit left is
 * played from where it was left, as loud and as fast as it was.
 */
import type { EarlyPlay, PLAYS, STORAGE_KEY } from "../early-play.ts";
import type { HYDRATED } from "../deferred-hydration.ts";

const button: `[${typeof PLAYS}]` = "[data-plays]";
const key: typeof STORAGE_KEY = "player";
const hydrated: typeof HYDRATED = "hydrated";

type Stored = {
  queue: { tracks: { audioUrl: string }[]; index: number };
  currentTime: number;
  volume: number;
  rate: number;
};

/** What an earlier visit left, if it is this episode. The player reads it again with more care. */
const storedOf = (src: string) => {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? "null") as Stored | null;
    if (stored?.queue.tracks[stored.queue.index]?.audioUrl === src) return stored;
  } catch {
    // Storage is forbidden, or holds something else.
  }
  return null;
};

const start = (src: string, given: string | undefined): EarlyPlay => {
  const audio = new Audio(src);
  const stored = storedOf(src);
  const from = Number(given ?? stored?.currentTime ?? 0);
  if (stored) {
    audio.volume = stored.volume;
    audio.playbackRate = audio.defaultPlaybackRate = stored.rate;
  }
  if (from > 0) {
    audio.addEventListener("loadedmetadata", () => (audio.currentTime = from), { once: true });
  }
  return { audio, src, from, isPaused: false };
};

const press = ({ target }: Event) => {
  const { plays, playsFrom } = (target as Element).closest<HTMLElement>(button)?.dataset ?? {};
  if (!plays) return;
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
  // The player asks again, and says why it does not play.
  play.audio.play().catch(() => {});
};

addEventListener("click", press, true);
addEventListener(hydrated, () => removeEventListener("click", press, true));
