import { atom } from "jotai";

/** Ids of the favourite episodes. `favorites.ts`, which loads on demand, fills it. */
export const favoriteIdsAtom = atom<ReadonlySet<number>>(new Set<number>());

/** Shows an episode as a favourite or not while the code that sends the change is still loading. */
export const shownFavoriteAtom = atom(null, (get, set, id: number, isFavorite: boolean) => {
  const ids = new Set(get(favoriteIdsAtom));
  if (isFavorite) ids.add(id);
  else ids.delete(id);
  set(favoriteIdsAtom, ids);
});
