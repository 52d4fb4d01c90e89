import { atom, useAtomValue } from "jotai";
import type { ComponentType } from "react";
import { STORAGE_KEY } from "#site/document/early-play.ts";
import { useLazyModule } from "#site/ui/use-lazy-module.ts";

export const playerAtom = atom<{ Player: ComponentType } | null>(null);

/** The player, if an earlier visit left state. Rejects if storage is forbidden. */
const loadSaved = async () => (STORAGE_KEY in localStorage ? import("./player.tsx") : null);

/**
 * Holds the player in the layout, so that it survives navigation. The player loads with the first page that can play, or
 * when an earlier visit left state.
 */
export function PlayerSlot() {
  const saved = useLazyModule(true, loadSaved);
  const slot = useAtomValue(playerAtom) ?? saved;
  return slot && <slot.Player />;
}
