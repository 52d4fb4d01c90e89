import { atom, useStore } from "jotai";
import { useEffect } from "react";
import { useCopyMoment } from "./moment.ts";
import { currentTrack, next, previous, skip, toggle, toggleMute, type Playback } from "./playback.ts";
import { stepRate } from "./rates.ts";
import { playbackAtom, useRetry } from "./state.ts";

/** Seconds. */
export const BACK = -15;
export const FORWARD = 30;

/** Whether single keys play; stored between visits. */
export const shortcutsAtom = atom(true);
/** Whether the list of them is open. */
export const isHelpOpenAtom = atom(false);

export type Command = keyof typeof steps | "copy" | "help";

const steps = {
  toggle,
  back: (now: Playback) => skip(now, BACK),
  forward: (now: Playback) => skip(now, FORWARD),
  mute: toggleMute,
  slower: (now: Playback) => stepRate(now, -1),
  faster: (now: Playback) => stepRate(now, 1),
  next,
  previous,
};

/** As they are shown: the keys, and what they do. */
export const shortcuts: { keys: string[]; does: string; command: Command }[] = [
  { keys: ["Space", "K"], does: "Play or pause", command: "toggle" },
  { keys: ["←", "J"], does: "Back 15 seconds", command: "back" },
  { keys: ["→", "L"], does: "Forward 30 seconds", command: "forward" },
  { keys: ["M"], does: "Mute or unmute", command: "mute" },
  { keys: ["<"], does: "Slower", command: "slower" },
  { keys: [">"], does: "Faster", command: "faster" },
  { keys: ["N"], does: "Next episode", command: "next" },
  { keys: ["P"], does: "Previous episode", command: "previous" },
  { keys: ["C"], does: "Copy link at this moment", command: "copy" },
  { keys: ["?"], does: "Show these shortcuts", command: "help" },
];

/** As `KeyboardEvent.key` names what is shown otherwise. */
const names: Record<string, string> = { Space: " ", "←": "arrowleft", "→": "arrowright" };

const commands = new Map(
  shortcuts.flatMap(({ keys, command }) =>
    keys.map((key) => [names[key] ?? key.toLowerCase(), command] as const),
  ),
);

export type Press = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "repeat">;

/** What a key means to the player. Held down, only what goes on step by step is done again. */
export function commandOf({ key, ctrlKey, metaKey, altKey, repeat }: Press): Command | null {
  if (ctrlKey || metaKey || altKey) return null;
  const command = commands.get(key.toLowerCase()) ?? null;
  const isStep = command === "back" || command === "forward";
  return repeat && !isStep ? null : command;
}

const WRITING = "input:not([type=range]), textarea, select, [contenteditable]:not([contenteditable=false])";
const MODAL = "dialog[open], [role=dialog], [role=alertdialog], :popover-open";
/** What does something of its own with the space bar, or with arrows. */
const TAKES_SPACE = "button, summary, a, audio, video, [role=button], [role=tab], [role=menuitem]";
const TAKES_ARROWS = "input, audio, video, [role=tab], [role=menu], [role=listbox], [role=slider]";

/** Keys belong to what has the focus before they belong to the player. */
function isTaken({ key, target }: KeyboardEvent) {
  if (document.querySelector(MODAL)) return true;
  if (!(target instanceof Element)) return false;
  if (target.closest(WRITING)) return true;
  if (key === " ") return target.closest(TAKES_SPACE) !== null;
  return key.startsWith("Arrow") && target.closest(TAKES_ARROWS) !== null;
}

/** Keys that play while an episode is selected. */
export function useShortcuts() {
  const store = useStore();
  const copyMoment = useCopyMoment();
  const [, retry] = useRetry();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const playback = store.get(playbackAtom);
      if (!store.get(shortcutsAtom) || !currentTrack(playback)) return;
      const command = event.defaultPrevented || isTaken(event) ? null : commandOf(event);
      // Who has not listened yet in this visit scrolls with the space bar.
      if (command === null || (event.key === " " && playback.isRestored)) return;
      event.preventDefault();
      if (command === "help") return store.set(isHelpOpenAtom, true);
      if (command === "copy") return void copyMoment();
      if (command === "toggle" && playback.error === "failed") return retry();
      store.set(playbackAtom, steps[command]);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [store, copyMoment, retry]);
}
