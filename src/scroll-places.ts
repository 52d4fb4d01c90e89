import { UNSAFE_useScrollRestoration as useScrollRestoration } from "react-router";

/** Where the tab's storage has the place at which each entry of its history was left, by the entry's key. */
export const PLACES = "places";

/**
 * Brings back the place within a page as `<ScrollRestoration>` does, without its script, which asks for the tab's storage
 * before each first paint. `inline/start.ts` scrolls a document that is come back to.
 */
export function ScrollPlaces() {
  useScrollRestoration({ storageKey: PLACES });
  return null;
}
