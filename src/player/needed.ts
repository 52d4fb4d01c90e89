import { atom } from "jotai";
import { STORAGE_KEY } from "#site/document/early-play.ts";

/** Whether an earlier visit left state. False if storage is forbidden. */
export function hasStoredState() {
  try {
    return STORAGE_KEY in localStorage;
  } catch {
    return false;
  }
}

/** Whether the visit needs the player: an earlier one left state, or a page of this one can play. */
export const playerNeededAtom = atom(false);
playerNeededAtom.onMount = (set) => {
  if (hasStoredState()) set(true);
};
