import { atom, useAtomValue, useSetAtom } from "jotai";
import { useEffect, type ComponentType } from "react";

const playerAtom = atom<{ Player: ComponentType } | null>(null);

/** Where the player stands: in the layout, so that it outlives pages. It comes with the first page that can play. */
export function PlayerSlot() {
  const slot = useAtomValue(playerAtom);
  return slot && <slot.Player />;
}

/** Puts the player into its slot, where it stays. */
export function usePlayer(Player: ComponentType) {
  const place = useSetAtom(playerAtom);
  useEffect(() => place((slot) => slot ?? { Player }), [place, Player]);
}
