import { lazy, type ComponentType } from "react";
import { GoneError, lazyImport } from "#site/ui/lazy-import.ts";
import { offerNewVersion } from "#site/ui/new-version.ts";

/**
 * A part of a page with a file of its own. Where that fails to load, the part stays the plain HTML that the server wrote. A
 * page that was opened within the document has none: the visitor is told if a newer version of the site has other files.
 */
export function lazyPart<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const loadPart = lazyImport(load);
  return lazy(async () => {
    try {
      return await loadPart();
    } catch (error) {
      if (error instanceof GoneError && !isFromServer()) offerNewVersion();
      return new Promise<never>(() => {});
    }
  });
}

function isFromServer() {
  const [document] = performance.getEntriesByType("navigation");
  return document !== undefined && new URL(document.name).pathname === location.pathname;
}
