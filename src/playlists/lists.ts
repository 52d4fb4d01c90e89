import type { PrimitiveAtom } from "jotai";
import { ApiError, ensureOk, readJson } from "#site/api.ts";
import { isListenerAtom, readListenerId } from "#site/player/listener.ts";
import type { NewPlaylist, Playlist, PlaylistItem, SmartName } from "#worker/playlists/contract.ts";
import { api } from "./client.ts";
import { hold, optimistically, type Store } from "./held.ts";
import { inOrder } from "./order.ts";
import { openItemsAtom, openPlaylistAtom, playlistsAtom, unread, type Read } from "./state.ts";
import { createTurns } from "./turns.ts";

/** What a listener does with their playlists; whatever the server refuses is thrown as it said it. */

const inTurn = createTurns();
const list = api.playlists[":id"];

/** Who has no identity has no playlists. */
export const readPlaylists = (store: Store) =>
  readInto(store, playlistsAtom, async () => {
    if (readListenerId() === null) return [];
    return (await readJson(api.playlists.$get())).items;
  });

async function readInto<T>(store: Store, at: PrimitiveAtom<Read<T>>, read: () => Promise<T>) {
  store.set(at, (now) => ({ ...now, trouble: null }));
  try {
    const value = await read();
    store.set(at, { value, trouble: null });
  } catch (error) {
    const isMissing = error instanceof ApiError && error.status === 404;
    store.set(at, (now) => ({ ...now, trouble: isMissing ? "missing" : "failed" }));
    throw error;
  }
}

/** What is changed already need not fail because it could not be read again. */
const reread = (store: Store) => readPlaylists(store).catch(console.warn);

export async function createPlaylist(store: Store, json: NewPlaylist) {
  const playlist = await readJson(api.playlists.$post({ json }));
  store.set(isListenerAtom, true);
  await reread(store);
  return playlist;
}

/** `isNew` where the listener did not have it yet. */
export async function createSmartPlaylist(store: Store, name: SmartName) {
  const response = await ensureOk(api.playlists.smart.$post({ json: { name } }));
  store.set(isListenerAtom, true);
  await reread(store);
  return { isNew: response.status === 201 };
}

export async function updatePlaylist(store: Store, id: string, json: NewPlaylist) {
  const playlist = await readJson(list.$patch({ param: { id }, json }));
  store.set(openPlaylistAtom, { value: playlist, trouble: null });
  await reread(store);
}

export async function deletePlaylist(store: Store, id: string) {
  await ensureOk(list.$delete({ param: { id } }));
  await reread(store);
}

/** The episodes of a playlist that need not stand open. */
export async function readEpisodes(id: string) {
  const { items } = await readJson(list.$get({ param: { id } }));
  return items.map(({ episode }) => episode);
}

/** What a smart playlist would show, be there one or not. */
export async function readSmart(name: SmartName) {
  if (readListenerId() === null) return [];
  const { items } = await readJson(api.playlists.smart[":name"].$get({ param: { name } }));
  return items.map(({ episode }) => episode);
}

/** The id of the playlist that stands open. */
let open: string | null = null;

export function openPlaylist(store: Store, id: string) {
  open = id;
  store.set(openPlaylistAtom, unread);
  store.set(openItemsAtom, hold<PlaylistItem[]>([]));
  return inTurn(() => reopen(store, id));
}

export function closePlaylist() {
  open = null;
}

/** Nothing where another has been opened meanwhile. */
async function reopen(store: Store, id: string) {
  if (open !== id) return;
  await readInto(store, openPlaylistAtom, async () => {
    const { playlist, items } = await readJson(list.$get({ param: { id } }));
    if (open === id) store.set(openItemsAtom, (held) => ({ ...held, kept: items }));
    return playlist;
  });
}

/** `isNew` where it was not in it yet. */
export async function addEpisode(store: Store, { id }: Playlist, episodeId: number) {
  const response = await inTurn(() => ensureOk(list.items.$post({ param: { id }, json: { episodeId } })));
  await Promise.all([reread(store), reopen(store, id).catch(console.warn)]);
  return { isNew: response.status === 201 };
}

export const removeEpisode = (store: Store, { id }: Playlist, episodeId: number) =>
  optimistically(
    store,
    openItemsAtom,
    (items) => items.filter(({ episode }) => episode.id !== episodeId),
    () =>
      inTurn(() =>
        ensureOk(list.items[":episodeId"].$delete({ param: { id, episodeId: String(episodeId) } })),
      ),
  );

/** Milliseconds between two orders: whoever moves an item up and up would be refused as too quick. */
const PACE = 600;

let orderedAt = 0;
let wanted: number[] | null = null;

/** The playlist may have changed meanwhile: whoever is refused sees what there is now. */
export async function reorderItems(store: Store, playlist: Playlist, itemIds: number[]) {
  wanted = itemIds;
  try {
    await optimistically(
      store,
      openItemsAtom,
      (items) => inOrder(items, itemIds),
      () => inTurn(() => sendOrder(playlist, itemIds)),
    );
  } catch (error) {
    await reopen(store, playlist.id).catch(console.warn);
    throw error;
  }
}

/** Only the last of those that were asked for meanwhile. */
async function sendOrder({ id }: Playlist, itemIds: number[]) {
  if (wanted !== itemIds) return;
  await new Promise((resolve) => setTimeout(resolve, orderedAt + PACE - Date.now()));
  if (wanted !== itemIds) return;
  orderedAt = Date.now();
  await ensureOk(list.order.$put({ param: { id }, json: { itemIds } }));
}
