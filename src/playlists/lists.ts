import { note } from "#site/analytics/notes.ts";
import { ensureOk, readJson } from "#site/api.ts";
import { isListenerAtom, readListenerId } from "#site/player/listener.ts";
import type { EpisodeSummary } from "#worker/episodes/contract.ts";
import type { NewPlaylist, Playlist, PlaylistItem, SmartName } from "#worker/playlists/contract.ts";
import { api, readInto } from "./client.ts";
import { optimistic, updateOptimistically, type Change, type Store } from "./optimistic.ts";
import { inOrder } from "./order.ts";
import { openItemsAtom, openPlaylistAtom, playlistsAtom, recentAtom, unread, type Read } from "./state.ts";
import { createSerialQueue } from "#site/ui/serial-queue.ts";

/** The listener's requests about playlists. They throw the server's refusals, with their message. */

const enqueue = createSerialQueue();
const list = api.playlists[":id"];

/** A new listener has no playlists. */
export const readPlaylists = (store: Store) =>
  readInto<Playlist[]>(
    (change) => store.set(playlistsAtom, change),
    async () => {
      if (readListenerId() === null) return [];
      return (await readJson(api.playlists.$get())).items;
    },
  );

/** A failed read does not fail the change before it. */
const reread = (store: Store) => readPlaylists(store).catch(console.warn);

export async function createPlaylist(store: Store, json: NewPlaylist) {
  const playlist = await readJson(api.playlists.$post({ json }));
  store.set(isListenerAtom, true);
  await reread(store);
  return playlist;
}

/** `isNew` is false if the listener already had it. */
export async function createSmartPlaylist(store: Store, name: SmartName) {
  const response = await ensureOk(api.playlists.smart.$post({ json: { name } }));
  store.set(isListenerAtom, true);
  await reread(store);
  return { isNew: response.status === 201 };
}

export async function updatePlaylist(store: Store, id: string, json: NewPlaylist) {
  const playlist = await readJson(list.$patch({ param: { id }, json }));
  setOpen(store, id, () => ({ value: playlist, error: null }));
  await reread(store);
}

export async function deletePlaylist(store: Store, id: string) {
  await ensureOk(list.$delete({ param: { id } }));
  await reread(store);
}

/** Episodes of any playlist of the listener. */
export async function readEpisodes(id: string) {
  const { items } = await readJson(list.$get({ param: { id } }));
  return items.map(({ episode }) => episode);
}

/** Reads Recently Played, whether that playlist was created or not. A new listener has played nothing. */
export const readRecent = (store: Store) =>
  readInto<EpisodeSummary[]>(
    (change) => store.set(recentAtom, change),
    async () => {
      if (readListenerId() === null) return [];
      const { items } = await readJson(
        api.playlists.smart[":name"].$get({ param: { name: "Recently Played" } }),
      );
      return items.map(({ episode }) => episode);
    },
  );

/** Id of the open playlist. */
let open: string | null = null;

export function openPlaylist(store: Store, id: string) {
  open = id;
  store.set(openPlaylistAtom, unread);
  store.set(openItemsAtom, optimistic<PlaylistItem[]>([]));
  return enqueue(() => reopen(store, id));
}

export function closePlaylist() {
  open = null;
}

/** Does nothing if another playlist is open now. */
function setOpen(store: Store, id: string, change: Change<Read<Playlist>>) {
  if (open === id) store.set(openPlaylistAtom, change);
}

/** The same. */
async function reopen(store: Store, id: string) {
  if (open !== id) return;
  await readInto<Playlist>(
    (change) => setOpen(store, id, change),
    async () => {
      const { playlist, items } = await readJson(list.$get({ param: { id } }));
      if (open === id) store.set(openItemsAtom, (state) => ({ ...state, confirmed: items }));
      return playlist;
    },
  );
}

/** `isNew` is false if the playlist already had the episode. */
export async function addEpisode(store: Store, { id }: Playlist, episodeId: number) {
  const response = await enqueue(() => ensureOk(list.items.$post({ param: { id }, json: { episodeId } })));
  await Promise.all([reread(store), reopen(store, id).catch(console.warn)]);
  const isNew = response.status === 201;
  if (isNew)
    note({ type: "engagement", metadata: { action: "add_to_playlist" }, content: `episode ${episodeId}` });
  return { isNew };
}

export const removeEpisode = (store: Store, { id }: Playlist, episodeId: number) =>
  updateOptimistically(
    store,
    openItemsAtom,
    (items) => items.filter(({ episode }) => episode.id !== episodeId),
    () =>
      enqueue(() =>
        ensureOk(list.items[":episodeId"].$delete({ param: { id, episodeId: String(episodeId) } })),
      ),
  );

/** Milliseconds between two requests: repeated presses on Move up would exceed the rate limit. */
const INTERVAL = 600;

let orderedAt = 0;
let wanted: number[] | null = null;

/** Reads the playlist again after an error, because it may have changed elsewhere. */
export async function reorderItems(store: Store, playlist: Playlist, itemIds: number[]) {
  wanted = itemIds;
  try {
    await updateOptimistically(
      store,
      openItemsAtom,
      (items) => inOrder(items, itemIds),
      () => enqueue(() => sendOrder(playlist, itemIds)),
    );
  } catch (error) {
    await reopen(store, playlist.id).catch(console.warn);
    throw error;
  }
}

/** Sends only the latest order. */
async function sendOrder({ id }: Playlist, itemIds: number[]) {
  if (wanted !== itemIds) return;
  await new Promise((resolve) => setTimeout(resolve, orderedAt + INTERVAL - Date.now()));
  if (wanted !== itemIds) return;
  orderedAt = Date.now();
  await ensureOk(list.order.$put({ param: { id }, json: { itemIds } }));
}
