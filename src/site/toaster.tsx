import { useEffect } from "react";
import { useIsPlayerShown } from "#site/player/state.ts";
import type { useNotice } from "#site/shell/toast.ts";
import { offerNewVersion } from "#site/ui/new-version.ts";
import { Toast } from "#site/ui/toast.tsx";

/** Height of the player's bar, with the seek bar above it on a phone. */
const OVER_BAR = "5rem";

export function Toaster({ notice }: { notice: NonNullable<ReturnType<typeof useNotice>> }) {
  const isPlayerShown = useIsPlayerShown();
  useEffect(() => {
    if (notice.kind === "update") offerNewVersion();
  }, [notice]);
  return (
    <Toast notice={notice.kind === "update" ? null : notice} above={isPlayerShown ? OVER_BAR : undefined} />
  );
}
