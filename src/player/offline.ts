import { atom, useAtomValue, useSetAtom } from "jotai";
import { useEffect } from "react";
import { clearKept, keepEpisode, NoRoom, readUsage, removeKept } from "#site/offline/kept.ts";
import type { KeptEpisode } from "#site/offline/names.ts";
import { listKept } from "#site/offline/records.ts";
import type { Track } from "./playback.ts";

export { canWorkOffline } from "#site/offline/register.ts";

/** Chosen episodes that are on the device; null until it was looked. */
const keptAtom = atom<KeptEpisode[] | null>(null);

/** What the site takes on the device, read with them. */
const usageAtom = atom<Awaited<ReturnType<typeof readUsage>> | null>(null);

/** A download: how far it is, 0 to 1, or why it ended. */
export type Keeping = { done: number; cancel: () => void } | { failed: "room" | "connection" };

/** By episode id. They go on while the sheet is closed and on other pages. */
const keepingAtom = atom<ReadonlyMap<number, Keeping>>(new Map());

const readAtom = atom(null, async (_, set) => {
  set(keptAtom, await listKept());
  set(usageAtom, await readUsage());
});

/** What keeping needs of an episode. */
type Wanted = Pick<Track, "id" | "title" | "audioUrl">;

/** How a download ended. */
export type Outcome = "kept" | "stopped" | "room" | "connection";

const keepAtom = atom(null, async (get, set, { id, title, audioUrl }: Wanted): Promise<Outcome> => {
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
    // A file has thousands of pieces.
    if (done - shown < 0.01) return;
    shown = done;
    tell({ done, cancel });
  };
  try {
    await keepEpisode({ id, title, audioUrl }, { signal: stopping.signal, onProgress });
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

/** Chosen episodes, read when somebody looks. */
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

/** Whether this episode is kept, how far its download is, and a function that begins one. */
export function useKeeping(track: Wanted) {
  const { kept, remove } = useKept();
  const keeping = useAtomValue(keepingAtom).get(track.id);
  const keep = useSetAtom(keepAtom);
  // The owner may have replaced the audio since.
  const own = kept?.find(({ audioUrl }) => audioUrl === track.audioUrl);
  return { isRead: kept !== null, own, keeping, keep: () => keep(track), remove };
}

/** Why a download ended, in words. */
export const failures = {
  room: "There is not enough space on this device. Remove another episode first.",
  connection: "The download stopped. Check your connection and try again.",
};
