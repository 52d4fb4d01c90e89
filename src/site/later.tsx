import { useEffect, useState } from "react";
import { retriable } from "#site/ui/retriable.ts";
import { useLoaded } from "#site/ui/use-loaded.ts";
import { useLayoutData } from "./use-layout.ts";

/** Milliseconds after the page was loaded. */
const WIDGET_AFTER = 5000;
const POPUP_AFTER = 30_000;

const loadWidget = retriable(() => import("./community/widget.tsx"));

/** The popup, if it may be armed; null if it may not. */
async function loadPopup() {
  const { browserStorage, mayArm, readKept } = await import("./newsletter/kept.ts");
  const storage = browserStorage();
  if (!storage || !mayArm(readKept(storage), new Date())) return null;
  return import("./newsletter/popup.tsx");
}

/** What appears some time after the first page of a visit. Its code comes then, too. */
export function Later() {
  const widget = useLoaded(useAfter(WIDGET_AFTER), loadWidget);
  const hasNewsletter = Boolean(useLayoutData()?.newsletter);
  const popup = useLoaded(useAfter(POPUP_AFTER) && hasNewsletter, loadPopup);
  return (
    <>
      {widget && <widget.CommunityWidget />}
      {popup && <popup.ExitIntentPopup />}
    </>
  );
}

/** Whether so much time has passed. */
function useAfter(milliseconds: number) {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), milliseconds - sinceLoad());
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return isDue;
}

/** Scripts come some time after the page; a busy page may not be loaded by then. */
function sinceLoad() {
  const [page] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return page && page.loadEventEnd > 0 ? Math.max(0, performance.now() - page.loadEventEnd) : 0;
}
