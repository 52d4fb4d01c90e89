import { note } from "#site/analytics/notes.ts";
import { ensureOk, readJson } from "#site/api.ts";
import { isListenerAtom, readListenerId } from "#site/player/listener.ts";
import { lastSavedAtom } from "#site/player/last-saved.ts";
import type { useToast } from "#site/shell/toast.ts";
import type { EpisodeSummary } from "#worker/episodes/contract.ts";
import { api, readInto } from "./client.ts";
import { spelled } from "#site/ui/spelling.ts";
import { updateOptimistically, type Store } from "./optimistic.ts";
import { favoritesAtom, favoritesReadAtom } from "./state.ts";
import { errorMessage } from "./error-message.ts";
import { createSerialQueue } from "#site/ui/serial-queue.ts";

type Say = ReturnType<typeof useToast>;

const enqueue = createSerialQueue();

let reading: Promise<void> | null = null;

/** Reads the favourites once per visit. A new listener has none. */
export const readFavorites = (store: Store) => reading ?? reloadFavorites(store);

function reloadFavorites(store: Store) {
  reading = enqueue(() =>
    readInto<true>(
      (change) => store.set(favoritesReadAtom, change),
      async () => {
        if (readListenerId() !== null) await fetchFavorites(store);
        return true;
      },
    ),
  );
  reading.catch(() => (reading = null));
  return reading;
}

async function fetchFavorites(store: Store) {
  const { items } = await readJson(api.favorites.$get());
  store.set(favoritesAtom, (state) => ({ ...state, confirmed: items }));
}

/** Adds or removes a favourite optimistically. If the server refuses, rolls back and shows a toast. */
export async function setFavorite(store: Store, say: Say, episode: EpisodeSummary, isFavorite: boolean) {
  const added = isFavorite ? [{ episode, createdAt: Date.now() }] : [];
  try {
    await updateOptimistically(
      store,
      favoritesAtom,
      (favorites) => [...added, ...favorites.filter((favorite) => favorite.episode.id !== episode.id)],
      () => sendFavorite(String(episode.id), isFavorite),
    );
    store.set(isListenerAtom, true);
    store.set(lastSavedAtom, `favourite ${episode.id} ${isFavorite}`);
    if (isFavorite)
      note({ type: "engagement", metadata: { action: "favorite" }, content: `episode ${episode.id}` });
  } catch (error) {
    console.warn(error);
    const title = isFavorite ? "Not added to your favourites" : "Still in your favourites";
    return say({
      kind: "error",
      title: spelled(title, document.documentElement.lang),
      description: errorMessage(error),
    });
  }
  await reloadFavorites(store).catch(console.warn);
}

function sendFavorite(episodeId: string, isFavorite: boolean) {
  const favorite = api.favorites[":episodeId"];
  const param = { episodeId };
  return enqueue<unknown>(() =>
    isFavorite ? ensureOk(favorite.$put({ param })) : ensureOk(favorite.$delete({ param })),
  );
}
