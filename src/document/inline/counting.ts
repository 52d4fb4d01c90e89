/**
 * Loads the tracker a moment after the page, or at the first press. Until then it buffers the view and presses, and
 * sends the view if the visitor leaves (`../counting.ts`). The tracker takes over by replacing the array. Stores
 * nothing, and does nothing for visitors who opted out of tracking.
 */
import type { COUNTED, SEEN, TRACKER_AFTER } from "../counting.ts";

const counted: typeof COUNTED = "counted";
const seen: typeof SEEN = "analytics";
const delay: typeof TRACKER_AFTER = 3000;

/** Maximum buffered presses; the tracker may never load. */
const PRESSES = 40;

type Remembered = { view: object } | { press: Event; content: string | undefined };
const scope = window as unknown as { analytics?: Remembered[] };
const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };

if (doNotTrack !== "1" && !globalPrivacyControl) {
  const remembered: Remembered[] = (scope.analytics = []);
  let isLoaded = false;
  let isSeen = false;

  /** The last match: an article opened over a list adds its own element. */
  const nameOfPage = () =>
    [...document.querySelectorAll<HTMLMetaElement>(`meta[name=${counted}]`)].pop()?.content;

  /** Whether the tab has not shown it yet, by the tracker's storage. */
  const isNew = (content: string) => {
    try {
      return !sessionStorage.getItem(seen)?.includes(`"${content}"`);
    } catch {
      return true;
    }
  };

  const see = () => {
    const content = nameOfPage();
    if (!content || isSeen) return;
    isSeen = true;
    const [contentType, contentId] = content.split(" ");
    const { origin, pathname: path } = location;
    const { title, referrer } = document;
    const sessionId = crypto.getRandomValues(new Uint32Array(4)).join("-");
    const isUnique = isNew(content);
    const metadata = { timestamp: Date.now(), isUnique, url: origin + path, title, path, referrer };
    // First, since a press may already be buffered.
    remembered.unshift({
      view: { eventType: "page_view", contentType, contentId, userId: null, sessionId, metadata },
    });
  };

  const load = () => {
    const src = document.querySelector<HTMLElement>("[data-last]")?.dataset["last"];
    if (isLoaded || !src) return;
    isLoaded = true;
    document.head.appendChild(Object.assign(document.createElement("script"), { src }));
  };

  addEventListener("DOMContentLoaded", see);
  addEventListener("load", () => setTimeout(load, delay));
  addEventListener(
    "click",
    (press) => {
      if (scope.analytics === remembered && remembered.length < PRESSES)
        remembered.push({ press, content: nameOfPage() });
      load();
    },
    true,
  );
  addEventListener("pagehide", () => {
    if (scope.analytics !== remembered) return;
    see();
    const events = remembered.splice(0).flatMap((each) => ("view" in each ? [each.view] : []));
    if (events[0]) navigator.sendBeacon("/api/analytics/events", JSON.stringify({ events }));
  });
}
