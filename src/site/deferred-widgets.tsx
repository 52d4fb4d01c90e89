import { useEffect, useState } from "react";
import { lazyImport } from "#site/ui/lazy-import.ts";
import { useLazyModule } from "#site/ui/use-lazy-module.ts";
import { useLayoutData } from "./use-layout.ts";

/** Milliseconds after hydration, which a visitor's first touch may begin: widgets do not all follow that touch. */
export const LATER_AFTER = 5000;
const POPUP_AFTER = 30_000;

const loadTags = () => import("./tags/tag-manager.tsx");
const loadLater = lazyImport(() => import("./deferred-widgets-entry.tsx"));

const loadPopup = async () => (await import("./newsletter/load-popup.ts")).loadPopup();

/** Widgets that load and appear some time after the first page of a visit. */
export function DeferredWidgets() {
  const later = useLazyModule(useAfter(LATER_AFTER), loadLater);
  const data = useLayoutData();
  const tags = useLazyModule(data?.tagManager, loadTags);
  const hasNewsletter = Boolean(data?.newsletter);
  const popup = useLazyModule(useAfter(POPUP_AFTER) && hasNewsletter, loadPopup);
  return (
    <>
      {tags && <tags.TagManager />}
      {later && <later.Later />}
      {popup && <popup.ExitIntentPopup />}
    </>
  );
}

/** Whether this many milliseconds have passed since the component was mounted. */
export function useAfter(milliseconds: number) {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return isDue;
}
