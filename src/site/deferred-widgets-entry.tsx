import { PageGuard } from "#site/player/page-guard.tsx";
import { useIsPlayerShown } from "#site/player/state.ts";
import { CommunityWidget } from "./community/widget.tsx";
import { OfflineVisits } from "./offline-visits.tsx";

/** The widgets that load some seconds after a visit's first page, as one chunk. */
export const Later = () => (
  <>
    {!useIsPlayerShown() && <PageGuard />}
    <OfflineVisits />
    <CommunityWidget />
  </>
);
