import { useEffect } from "react";
import { useLocation } from "react-router";
import { canWorkOffline, tellVisit } from "#site/offline/register.ts";
import { PageGuard } from "#site/player/page-guard.tsx";
import { useIsPlayerShown } from "#site/player/state.ts";
import { CommunityWidget } from "./community/widget.tsx";

/** The widgets that load some seconds after a visit's first page, as one chunk. */
export const Later = () => (
  <>
    {!useIsPlayerShown() && <PageGuard />}
    <OfflineVisits />
    <CommunityWidget />
  </>
);

/** Lets the service worker cache each visited page for offline use. Not for visitors who save data. */
function OfflineVisits() {
  const { pathname, search } = useLocation();
  useEffect(() => {
    const { connection } = navigator as { connection?: { saveData?: boolean } };
    if (!canWorkOffline() || connection?.saveData) return;
    return whenIdle(() => void tellVisit(pathname + search).catch(console.warn));
  }, [pathname, search]);
  return null;
}

/** Safari has no requestIdleCallback. */
function whenIdle(work: () => void) {
  if (!("requestIdleCallback" in globalThis)) {
    const timer = setTimeout(work, 1000);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(work);
  return () => cancelIdleCallback(idle);
}
