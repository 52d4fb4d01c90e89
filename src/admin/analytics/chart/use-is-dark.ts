import { useSyncExternalStore } from "react";

function subscribe(change: () => void) {
  const watch = new MutationObserver(change);
  watch.observe(document.documentElement, { attributeFilter: ["class"] });
  return () => watch.disconnect();
}

/** Whether the dark theme is shown now; it is the class of the root element. */
export const useIsDark = () =>
  useSyncExternalStore(
    subscribe,
    () => document.documentElement.classList.contains("dark"),
    () => false,
  );
