import { atom, useAtomValue } from "jotai";
import type { KeptEpisode } from "#site/offline/caches.ts";
import type { Track } from "./core/playback.ts";

/** Episodes saved on the device; null until they are read. */
export const keptAtom = atom<KeptEpisode[] | null>(null);

/** A download: its progress, 0 to 1, or why it failed. */
export type Keeping = { done: number; cancel: () => void } | { failed: "room" | "connection" };

/** By episode id. A download continues while the sheet is closed and on other pages. */
export const keepingAtom = atom<ReadonlyMap<number, Keeping>>(new Map());

/** The episode's download, and its saved copy if it has the current audio: the owner may have replaced it. */
export function useKeepingState({ id, audioUrl }: Pick<Track, "id" | "audioUrl">) {
  const kept = useAtomValue(keptAtom);
  const own = kept?.find((one) => one.audioUrl === audioUrl);
  const keeping = useAtomValue(keepingAtom).get(id);
  return { isRead: kept !== null, own, keeping };
}
