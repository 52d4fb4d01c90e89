import { useIsPlayerShown } from "#site/player/state.ts";
import { Toast, type Notice } from "#site/ui/toast.tsx";

/** The player's bar is as high, and its seek line stands out of it on a phone. */
const OVER_BAR = "5rem";

export const Toaster = ({ notice }: { notice: Notice }) => (
  <Toast notice={notice} above={useIsPlayerShown() ? OVER_BAR : undefined} />
);
