import { atom } from "jotai";

/**
 * The last saved change that affects the listener's smart playlists, such as "heard 3". It does not change while one
 * episode plays, until that is completed.
 */
export const lastSavedAtom = atom("");
