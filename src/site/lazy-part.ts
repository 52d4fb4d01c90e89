import { lazy, type ComponentType } from "react";

/** Dispatched on the window if a part of a client-side page failed to load. */
export const MISSING = "missing-part";

/**
 * A part of a page in its own chunk. If that fails to load, the server's plain HTML stays. A page opened by client-side
 * navigation has none, so the visitor gets a notice: probably a newer version of the site was deployed.
 */
export const lazyPart = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(() =>
    load().catch(() => {
      const [opened] = performance.getEntriesByType("navigation");
      const isWritten = opened && new URL(opened.name).pathname === location.pathname;
      if (navigator.onLine && !isWritten) dispatchEvent(new Event(MISSING));
      return new Promise<never>(() => {});
    }),
  );
