import { atom } from "jotai";

/** The episodes whose heart is filled; `favorites.ts` keeps it, and comes when it is first wanted. */
export const favoriteIdsAtom = atom<ReadonlySet<number>>(new Set<number>());
