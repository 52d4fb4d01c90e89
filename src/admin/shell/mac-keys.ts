import { useSyncExternalStore } from "react";

/** Whether keys are named as on a Mac; not on the server, which cannot know. */
export const useMacKeys = () =>
  useSyncExternalStore(
    noChanges,
    () => /Mac|iPhone|iPad/.test(navigator.platform),
    () => false,
  );

const noChanges = () => () => {};

export type Key = { code: string; shift?: true; alt?: true; shown: string };

/** "Ctrl+Shift+8"; on a Mac "⇧⌘8". */
export const shownKeys = ({ alt, shift, shown }: Key, isMac: boolean) =>
  isMac
    ? [alt && "⌥", shift && "⇧", "⌘", shown].filter(Boolean).join("")
    : ["Ctrl", alt && "Alt", shift && "Shift", shown].filter(Boolean).join("+");

/** For `aria-keyshortcuts`. */
export const ariaKeys = ({ alt, shift, shown }: Key, isMac: boolean) =>
  [isMac ? "Meta" : "Control", alt && "Alt", shift && "Shift", shown].filter(Boolean).join("+");
