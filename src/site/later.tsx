import { useEffect, useState } from "react";
import { useLoaded } from "#site/ui/use-loaded.ts";
import { browserStorage, mayArm, readKept } from "./newsletter/kept.ts";
import { useLayoutData } from "./use-layout.ts";

/** Milliseconds after the page was loaded. */
const WIDGET_AFTER = 5000;
const POPUP_AFTER = 30_000;

const loadWidget = () => import("./community/widget.tsx");
const loadPopup = () => import("./newsletter/popup.tsx");

/** What appears some time after the first page of a visit. Its code comes then, too. */
export function Later() {
  const widget = useLoaded(useAfter(WIDGET_AFTER, always), loadWidget);
  const hasNewsletter = Boolean(useLayoutData()?.newsletter);
  const popup = useLoaded(useAfter(POPUP_AFTER, mayArmNow) && hasNewsletter, loadPopup);
  return (
    <>
      {widget && <widget.CommunityWidget />}
      {popup && <popup.ExitIntentPopup />}
    </>
  );
}

const always = () => true;

function mayArmNow() {
  const storage = browserStorage();
  return storage !== null && mayArm(readKept(storage), new Date());
}

/** Whether so much time has passed, and `isWanted` was true then. */
function useAfter(milliseconds: number, isWanted: () => boolean) {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(isWanted()), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds, isWanted]);
  return isDue;
}
