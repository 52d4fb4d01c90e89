import { atom, useAtomValue } from "jotai";
import type { ComponentType } from "react";
import { STORAGE_KEY } from "#site/document/early-play.ts";
import { useLoaded } from "#site/ui/use-loaded.ts";

export const playerAtom = atom<{ Player: ComponentType } | null>(null);

/** What an earlier visit left; where storage is forbidden this fails, and there is nothing. */
const loadKept = async () => (STORAGE_KEY in localStorage ? import("./player.tsx") : null);

/**
 * Where the player stands: in the layout, so that it outlives pages. It comes with the first page that can play, or with
 * what an earlier visit left.
 */
export function PlayerSlot() {
  const kept = useLoaded(true, loadKept);
  const slot = useAtomValue(playerAtom) ?? kept;
  return slot && <slot.Player />;
}
