import { atom } from "jotai";

/**
 * What the server saved last that changes the listener's smart playlists, such as "heard 3". It stays the same while one
 * episode plays, until that is completed.
 */
export const lastSavedAtom = atom("");
