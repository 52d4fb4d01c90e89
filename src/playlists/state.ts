import { atom } from "jotai";
import type { Favorite, Playlist, PlaylistItem } from "#worker/playlists/contract.ts";
import { favoriteIdsAtom } from "./favorite-ids.ts";
import { hold, shown, type Change, type Held } from "./held.ts";

/** What the listener keeps with the server, as far as this document has read it: see `favorites.ts` and `lists.ts`. */

const keptFavoritesAtom = atom(hold<Favorite[]>([]));

export const favoritesAtom = atom(
  (get) => get(keptFavoritesAtom),
  (get, set, change: Change<Held<Favorite[]>>) => {
    set(keptFavoritesAtom, change);
    const favorites = shown(get(keptFavoritesAtom));
    set(favoriteIdsAtom, new Set(favorites.map(({ episode }) => episode.id)));
  },
);

/** `value` is null until it is here; `trouble` is why the last try to read it brought nothing. */
export type Read<T> = { value: T | null; trouble: "missing" | "failed" | null };

export const unread = { value: null, trouble: null };

export const playlistsAtom = atom<Read<Playlist[]>>(unread);

/** The playlist that stands open in the panel, and what is in it. */
export const openPlaylistAtom = atom<Read<Playlist>>(unread);
export const openItemsAtom = atom(hold<PlaylistItem[]>([]));
