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

/**
 * How often the player was needed: once for the state of an earlier visit, and by each control that can play. Counted, so that a
 * later page loads the player's file again if it failed.
 */
export const playerNeededAtom = atom(0);
playerNeededAtom.onMount = (set) => {
  if (hasStoredState()) set(1);
};
