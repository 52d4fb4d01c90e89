import { PageGuard } from "#site/player/page-guard.tsx";
import { useIsPlayerShown } from "#site/player/state.ts";
import { CommunityWidget } from "./community/widget.tsx";
import { OfflineVisits } from "./offline-visits.tsx";

/** What comes some seconds after a visit's first page, as one file. */
export const Later = () => (
  <>
    {!useIsPlayerShown() && <PageGuard />}
    <OfflineVisits />
    <CommunityWidget />
  </>
);
