import { atom, useAtomValue, useSetAtom } from "jotai";
import { useEffect } from "react";
import { clearKept, keepEpisode, NoRoom, readUsage, removeKept } from "#site/offline/saved-episodes.ts";
import type { KeptEpisode } from "#site/offline/caches.ts";
import { listKept } from "#site/offline/records.ts";
import { keepingAtom, keptAtom, useKeepingState, type Keeping } from "./keeping.ts";
import type { Track } from "./core/playback.ts";

export { canWorkOffline } from "#site/offline/register.ts";

/** The site's storage on the device, read with them. */
const usageAtom = atom<Awaited<ReturnType<typeof readUsage>> | null>(null);

/** Reads which episodes are saved, and the space that the site uses. */
export const readAtom = atom(null, async (_, set) => {
  set(keptAtom, await listKept());
  set(usageAtom, await readUsage());
});

/** The fields of an episode that saving needs. */
type Wanted = Pick<Track, "id" | "title" | "audioUrl">;

/** How a download ended. */
export type Outcome = "kept" | "stopped" | "room" | "connection";

/** Downloads the episode, unless its audio is saved already. */
export const keepAtom = atom(null, async (get, set, { id, title, audioUrl }: Wanted): Promise<Outcome> => {
  const before = get(keepingAtom).get(id);
  if (!audioUrl || (before && "done" in before)) return "stopped";
  const stopping = new AbortController();
  const cancel = () => stopping.abort();
  const tell = (keeping: Keeping | null) =>
    set(keepingAtom, (all) => {
      const rest = [...all].filter(([other]) => other !== id);
      return new Map(keeping ? [...rest, [id, keeping]] : rest);
    });
  tell({ done: 0, cancel });
  let shown = 0;
  const onProgress = (done: number) => {
    // Throttled, since a file arrives in thousands of chunks.
    if (done - shown < 0.01) return;
    shown = done;
    tell({ done, cancel });
  };
  try {
    const isKept = (await listKept()).some((kept) => kept.audioUrl === audioUrl);
    if (!isKept) await keepEpisode({ id, title, audioUrl }, { signal: stopping.signal, onProgress });
    tell(null);
    return "kept";
  } catch (error) {
    if (stopping.signal.aborted) {
      tell(null);
      return "stopped";
    }
    console.warn(error);
    const failed = error instanceof NoRoom ? "room" : "connection";
    tell({ failed });
    return failed;
  } finally {
    await set(readAtom);
  }
});

const removeAtom = atom(null, async (_, set, kept: KeptEpisode) => {
  await removeKept(kept);
  await set(readAtom);
});

const clearAtom = atom(null, async (get, set) => {
  for (const keeping of get(keepingAtom).values()) if ("done" in keeping) keeping.cancel();
  await clearKept();
  await set(readAtom);
});

/** Saved episodes, read on mount. */
export function useKept() {
  const read = useSetAtom(readAtom);
  useEffect(() => void read().catch(console.warn), [read]);
  return {
    kept: useAtomValue(keptAtom),
    usage: useAtomValue(usageAtom),
    remove: useSetAtom(removeAtom),
    clear: useSetAtom(clearAtom),
  };
}

/** Whether this episode is saved, its download's progress, and a function that starts one. */
export function useKeeping(track: Wanted) {
  const { remove } = useKept();
  const keep = useSetAtom(keepAtom);
  return { ...useKeepingState(track), keep: () => keep(track), remove };
}

/** Messages for failed downloads. */
export const failures = {
  room: "There isn’t enough space on this device. Remove another episode first.",
  connection: "The download stopped. Check your connection and try again.",
};
