import { atom, useStore } from "jotai";
import { useEffect } from "react";
import { OPEN_MODAL } from "#site/ui/popover.ts";
import { useCopyTimestampLink } from "./timestamp-link.ts";
import { currentTrack, next, previous, skip, toggle, toggleMute, type Playback } from "./core/playback.ts";
import { stepRate } from "./core/rates.ts";
import { playbackAtom } from "./state.ts";

/** Seconds. */
export const BACK = -15;
export const FORWARD = 30;

/** Whether single-key shortcuts are on; stored between visits. */
export const shortcutsAtom = atom(true);
/** Whether the dialog that lists them is open. */
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

/** The shortcuts in the dialog. */
export const shortcuts: { keys: string[]; does: string; command: Command }[] = [
  { keys: ["Space", "K"], does: "Play or pause", command: "toggle" },
  { keys: ["←", "J"], does: "Back 15 seconds", command: "back" },
  { keys: ["→", "L"], does: "Forward 30 seconds", command: "forward" },
  { keys: ["M"], does: "Mute or unmute", command: "mute" },
  { keys: ["<"], does: "Slower", command: "slower" },
  { keys: [">"], does: "Faster", command: "faster" },
  { keys: ["N"], does: "Next episode", command: "next" },
  { keys: ["P"], does: "Previous episode", command: "previous" },
  { keys: ["C"], does: "Copy link at this time", command: "copy" },
  { keys: ["?"], does: "Show these shortcuts", command: "help" },
];

/** `KeyboardEvent.key`, in lower case, of keys with another label. */
const names: Record<string, string> = { Space: " ", "←": "arrowleft", "→": "arrowright" };

const commands = new Map(
  shortcuts.flatMap(({ keys, command }) =>
    keys.map((key) => [names[key] ?? key.toLowerCase(), command] as const),
  ),
);

export type Press = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "repeat">;

/** The command of a key. While it is held down, only back and forward repeat. */
export function commandOf({ key, ctrlKey, metaKey, altKey, shiftKey, repeat }: Press): Command | null {
  if (ctrlKey || metaKey || altKey) return null;
  // With Shift they scroll back or extend a selection.
  if (shiftKey && (key === " " || isArrow(key))) return null;
  const command = commands.get(key.toLowerCase()) ?? null;
  const isStep = command === "back" || command === "forward";
  return repeat && !isStep ? null : command;
}

const isArrow = (key: string) => key.startsWith("Arrow");

const WRITING = "input:not([type=range]), textarea, select, [contenteditable]:not([contenteditable=false])";
/** Elements with their own behaviour for the space bar, or for arrow keys. */
const TAKES_SPACE = "button, summary, a, audio, video, [role=button], [role=tab], [role=menuitem]";
const TAKES_ARROWS = "input, audio, video, [role=tab], [role=menu], [role=listbox], [role=slider]";

/** Whether the focused element or a dialog handles the key. */
function isHandledElsewhere({ key, target }: KeyboardEvent) {
  if (document.querySelector(OPEN_MODAL)) return true;
  if (!(target instanceof Element)) return false;
  if (target.closest(WRITING)) return true;
  if (key === " ") return target.closest(TAKES_SPACE) !== null;
  return isArrow(key) && (target.closest(TAKES_ARROWS) !== null || scrollsSideways(target));
}

/** True in a horizontally scrollable element, such as a wide table. */
const scrollsSideways = (element: Element | null): boolean =>
  element !== null &&
  ((element.scrollWidth > element.clientWidth &&
    ["auto", "scroll"].includes(getComputedStyle(element).overflowX)) ||
    scrollsSideways(element.parentElement));

/** Commands that change the position. */
const moves: Command[] = ["back", "forward", "next", "previous"];

/** Keyboard shortcuts, while an episode is selected. */
export function useShortcuts() {
  const store = useStore();
  const copyTimestampLink = useCopyTimestampLink();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const playback = store.get(playbackAtom);
      if (!store.get(shortcutsAtom) || !currentTrack(playback)) return;
      const command = event.defaultPrevented || isHandledElsewhere(event) ? null : commandOf(event);
      if (command === null) return;
      // Before the first playback of this visit, the space bar scrolls the page, and no key changes the stored
      // position.
      if (playback.isRestored && (event.key === " " || moves.includes(command))) return;
      event.preventDefault();
      if (command === "help") return store.set(isHelpOpenAtom, true);
      if (command === "copy") return void copyTimestampLink();
      store.set(playbackAtom, steps[command]);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [store, copyTimestampLink]);
}
