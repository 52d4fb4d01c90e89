import { atom } from "jotai";

/** Ids of the favourite episodes. `favorites.ts`, which loads on demand, fills it. */
export const favoriteIdsAtom = atom<ReadonlySet<number>>(new Set<number>());
