import { useIsPlayerShown } from "#site/player/state.ts";
import { Toast, type Notice } from "#site/ui/toast.tsx";

/** Height of the player's bar, with the seek bar above it on a phone. */
const OVER_BAR = "5rem";

export const Toaster = ({ notice }: { notice: Notice }) => (
  <Toast notice={notice} above={useIsPlayerShown() ? OVER_BAR : undefined} />
);
