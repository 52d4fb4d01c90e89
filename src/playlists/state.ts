import { atom } from "jotai";
import type { EpisodeSummary } from "#worker/episodes/contract.ts";
import type { Favorite, Playlist, PlaylistItem } from "#worker/playlists/contract.ts";
import { favoriteIdsAtom } from "./favorite-ids.ts";
import { optimistic, optimisticValue, type Change, type Optimistic } from "./optimistic.ts";

/** The listener's favourites and playlists that this document has read: see `favorites.ts` and `lists.ts`. */

const optimisticFavoritesAtom = atom(optimistic<Favorite[]>([]));

export const favoritesAtom = atom(
  (get) => get(optimisticFavoritesAtom),
  (get, set, change: Change<Optimistic<Favorite[]>>) => {
    set(optimisticFavoritesAtom, change);
    const favorites = optimisticValue(get(optimisticFavoritesAtom));
    set(favoriteIdsAtom, new Set(favorites.map(({ episode }) => episode.id)));
  },
);

/** `value` is null until it is loaded; `error` is the last read's. */
export type Read<T> = { value: T | null; error: "missing" | "failed" | null };

export const unread = { value: null, error: null };

/** `value` is true once `favoritesAtom` has the server's favourites. */
export const favoritesReadAtom = atom<Read<true>>(unread);

/** Recently played episodes, latest first. */
export const recentAtom = atom<Read<EpisodeSummary[]>>(unread);

export const playlistsAtom = atom<Read<Playlist[]>>(unread);

/** The open playlist in the panel, and its items. */
export const openPlaylistAtom = atom<Read<Playlist>>(unread);
export const openItemsAtom = atom(optimistic<PlaylistItem[]>([]));
