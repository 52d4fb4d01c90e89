import { ensureOk, readJson } from "#site/api.ts";
import { isListenerAtom, readListenerId } from "#site/player/listener.ts";
import type { useToast } from "#site/shell/toast.ts";
import type { EpisodeSummary } from "#worker/episodes/contract.ts";
import { api } from "./client.ts";
import { favoriteIdsAtom } from "./favorite-ids.ts";
import { optimistically, type Store } from "./held.ts";
import { favoritesAtom } from "./state.ts";
import { troubleOf } from "./trouble.ts";
import { createTurns } from "./turns.ts";

type Say = ReturnType<typeof useToast>;

const inTurn = createTurns();

let reading: Promise<void> | null = null;

/** Reads them once a visit. Who has no identity has none. */
export const readFavorites = (store: Store) => reading ?? reloadFavorites(store);

export function reloadFavorites(store: Store) {
  reading = inTurn(async () => {
    if (readListenerId() === null) return;
    const { items } = await readJson(api.favorites.$get());
    store.set(favoritesAtom, (held) => ({ ...held, kept: items }));
  });
  reading.catch(() => (reading = null));
  return reading;
}

/** Makes it one, or none any more, at once; what the server refuses is taken back, and said. */
export async function toggleFavorite(store: Store, say: Say, episode: EpisodeSummary) {
  const isFavorite = !store.get(favoriteIdsAtom).has(episode.id);
  const added = isFavorite ? [{ episode, createdAt: Date.now() }] : [];
  try {
    await optimistically(
      store,
      favoritesAtom,
      (favorites) => [...added, ...favorites.filter((favorite) => favorite.episode.id !== episode.id)],
      () => sendFavorite(String(episode.id), isFavorite),
    );
    store.set(isListenerAtom, true);
  } catch (error) {
    console.warn(error);
    const title = isFavorite ? "Not added to your favourites" : "Still among your favourites";
    return say({ kind: "error", title, description: troubleOf(error) });
  }
  await reloadFavorites(store).catch(console.warn);
}

function sendFavorite(episodeId: string, isFavorite: boolean) {
  const favorite = api.favorites[":episodeId"];
  const param = { episodeId };
  return inTurn<unknown>(() =>
    isFavorite ? ensureOk(favorite.$put({ param })) : ensureOk(favorite.$delete({ param })),
  );
}
