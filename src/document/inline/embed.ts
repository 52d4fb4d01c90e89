/**
 * The player of an embedded page (`src/embed/`), replacing the browser's own controls. It stores nothing: on another
 * site's page, storage is partitioned.
 */
import type { formatTime } from "../../ui/format.ts";

const byId = (id: string) => document.getElementById(id);
const audio = document.querySelector("audio")!;
const deck = byId("deck")!;
const play = byId("play")!;
const seek = document.querySelector("input")!;
const elapsed = byId("elapsed")!;
const total = byId("total")!;
const notice = byId("status")!;
const list = document.querySelector("select");
let seconds = Number(audio.dataset["seconds"]);

const twoDigits = (number: number) => String(number).padStart(2, "0");
const clock: typeof formatTime = (at) => {
  const [hours, minutes, rest] = [
    Math.floor(at / 3600),
    Math.floor(at / 60) % 60,
    twoDigits(Math.floor(at) % 60),
  ];
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${rest}` : `${minutes}:${rest}`;
};

const hasFailed = () => audio.error !== null;

const show = () => {
  const length = Number.isFinite(audio.duration) ? audio.duration : seconds;
  const at = Math.min(audio.currentTime, length || Infinity);
  seek.max = String(Math.floor(length));
  seek.value = String(at);
  elapsed.textContent = clock(at);
  total.textContent = clock(length);
  seek.setAttribute("aria-valuetext", `${clock(at)} of ${clock(length)}`);
  deck.classList.toggle("is-playing", !audio.paused);
  play.setAttribute("aria-label", hasFailed() ? "Try again" : audio.paused ? "Play" : "Pause");
  notice.textContent = hasFailed() ? "This didn’t load." : "";
  byId("previous")?.setAttribute("aria-disabled", String(list?.selectedIndex === 0));
  byId("next")?.setAttribute("aria-disabled", String(list?.selectedIndex === (list?.length ?? 0) - 1));
};

/** The element's own events report errors. */
const start = () => void audio.play().catch(() => {});

const choose = (index: number, isPlaying: boolean) => {
  const option = list?.options[index];
  if (!list || !option) return;
  list.selectedIndex = index;
  seconds = Number(option.dataset["seconds"]);
  audio.dataset["title"] = option.text;
  audio.src = option.value;
  if (isPlaying) start();
  show();
};
const step = (by: number) => choose((list?.selectedIndex ?? 0) + by, !audio.paused);
const skip = (by: number) => {
  audio.currentTime = Math.max(0, Math.min(audio.currentTime + by, seconds || Infinity));
  show();
};

const loadAgain = () => {
  const { currentTime } = audio;
  audio.load();
  audio.currentTime = currentTime;
};

const onPress: Record<string, () => void> = {
  play: () => {
    if (hasFailed()) loadAgain();
    if (audio.paused) start();
    else audio.pause();
  },
  previous: () => step(-1),
  next: () => step(1),
  back: () => skip(-15),
  forward: () => skip(30),
};
deck.addEventListener("click", ({ target }) => {
  const button = (target as Element).closest("button");
  if (button) onPress[button.id]?.();
});
seek.addEventListener("input", () => {
  audio.currentTime = Number(seek.value);
  show();
});
// Arrow keys in the list must not start playback.
list?.addEventListener("change", () => choose(list.selectedIndex, !audio.paused));

for (const event of ["play", "pause", "timeupdate", "durationchange", "error", "emptied", "seeked"]) {
  audio.addEventListener(event, show);
}
audio.addEventListener("ended", () => choose((list?.selectedIndex ?? 0) + 1, true));

/** Null in a Firefox that blocks storage: the constructor throws there. */
const openChannel = () => {
  try {
    return new BroadcastChannel("player");
  } catch {
    return null;
  }
};
/** Pauses other players of this site in the same browser (`src/player/other-tabs.ts`). */
const others = openChannel();
others?.addEventListener("message", () => audio.pause());
audio.addEventListener("play", () => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has a single origin.
  others?.postMessage("playing");
  const { title, show: artist } = audio.dataset;
  if ("mediaSession" in navigator) navigator.mediaSession.metadata = new MediaMetadata({ title, artist });
});

// The element reports this position even before it has loaded.
if (audio.dataset["start"]) audio.currentTime = Number(audio.dataset["start"]);
audio.controls = false;
audio.hidden = true;
deck.hidden = false;
if (list) list.hidden = false;
show();
