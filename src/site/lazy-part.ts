import { lazy, type ComponentType } from "react";

/** Dispatched on the window where a page within the document lacks a part. */
export const MISSING = "missing-part";

/**
 * A part of a page with a file of its own. Where that fails to load, the part stays the plain HTML that the server wrote. A
 * page that was opened within the document has none: the visitor is told, since a newer version of the site has other files.
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
