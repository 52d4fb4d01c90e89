import { atom, useAtomValue, useSetAtom } from "jotai";
import { useEffect, type ComponentType } from "react";
import { useLoaded } from "#site/ui/use-loaded.ts";

/** Under it the browser keeps the queue and the place in it: see `kept.ts`. */
export const KEPT = "player";

const playerAtom = atom<{ Player: ComponentType } | null>(null);

/** Whether an earlier visit left something to go on with. Storage may be forbidden. */
export function isKept() {
  try {
    return KEPT in localStorage;
  } catch {
    return false;
  }
}

const loadKept = async () => (isKept() ? import("./player.tsx") : null);

/**
 * Where the player stands: in the layout, so that it outlives pages. It comes with the first page that can play, or with
 * what an earlier visit left.
 */
export function PlayerSlot() {
  const kept = useLoaded(true, loadKept);
  const slot = useAtomValue(playerAtom) ?? kept;
  return slot && <slot.Player />;
}

/** Puts the player into its slot, where it stays. */
export function usePlayer(Player: ComponentType) {
  const place = useSetAtom(playerAtom);
  useEffect(() => place((slot) => slot ?? { Player }), [place, Player]);
}
