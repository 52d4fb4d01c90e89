import { answerOf, taken } from "#site/api.ts";
import { isListenerAtom, readListenerId } from "#site/player/listener.ts";
import { api } from "./client.ts";
import type { Store } from "./held.ts";
import { favoritesAtom } from "./state.ts";
import { createTurns } from "./turns.ts";

const inTurn = createTurns();

let reading: Promise<void> | null = null;

/** Reads them once a visit. Who has no identity has none. */
export const readFavorites = (store: Store) => reading ?? reloadFavorites(store);

export function reloadFavorites(store: Store) {
  reading = inTurn(async () => {
    if (readListenerId() === null) return;
    const { favorites } = await answerOf(api.favorites.$get());
    store.set(favoritesAtom, (held) => ({ ...held, kept: favorites }));
  });
  reading.catch(() => (reading = null));
  return reading;
}

export async function sendFavorite(store: Store, id: number, isFavorite: boolean) {
  const favorite = api.favorites[":episodeId"];
  const param = { episodeId: String(id) };
  await inTurn<unknown>(() => taken(isFavorite ? favorite.$put({ param }) : favorite.$delete({ param })));
  store.set(isListenerAtom, true);
}
