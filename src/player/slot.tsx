import { useAtomValue } from "jotai";
import { useLazyModule } from "#site/ui/use-lazy-module.ts";
import { playerNeededAtom } from "./needed.ts";

const loadPlayer = () => import("./player.tsx");

/** Holds the player in the layout, so that it survives navigation. Pages that can play load the player's module with their own. */
export function PlayerSlot() {
  const player = useLazyModule(useAtomValue(playerNeededAtom), loadPlayer);
  return player && <player.Player />;
}
