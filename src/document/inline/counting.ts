/**
 * Loads the tracker a moment after the page, or at the first press; until then it remembers the view of the page, and counts
 * it when somebody leaves (`../counting.ts`). The tracker takes over by taking the place of the array. Nothing is stored,
 * and nothing is done for who asks not to be tracked.
 */
import type { COUNTED, TRACKER_AFTER } from "../counting.ts";

const counted: typeof COUNTED = "counted";
const delay: typeof TRACKER_AFTER = 3000;

type Remembered = { view: object } | { press: Event };
const scope = window as unknown as { analytics?: Remembered[] };
const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };

if (doNotTrack !== "1" && !globalPrivacyControl) {
  const remembered: Remembered[] = (scope.analytics = []);
  let isLoaded = false;

  const see = () => {
    const [contentType, contentId] =
      document.querySelector<HTMLMetaElement>(`[name=${counted}]`)?.content.split(" ") ?? [];
    const { origin, pathname: path } = location;
    const { title, referrer } = document;
    const sessionId = crypto.getRandomValues(new Uint32Array(4)).join("-");
    const metadata = { timestamp: Date.now(), url: origin + path, title, path, referrer };
    if (contentType && !remembered[0])
      remembered.push({
        view: { eventType: "page_view", contentType, contentId, userId: null, sessionId, metadata },
      });
  };

  const load = (press?: Event) => {
    const src = document.querySelector<HTMLElement>("[data-last]")?.dataset["last"];
    if (isLoaded || !src) return;
    isLoaded = true;
    if (press) remembered.push({ press });
    document.head.appendChild(Object.assign(document.createElement("script"), { src }));
  };

  addEventListener("DOMContentLoaded", see);
  addEventListener("load", () => setTimeout(load, delay));
  addEventListener("click", load, true);
  addEventListener("pagehide", () => {
    if (scope.analytics !== remembered) return;
    see();
    const events = remembered.splice(0).flatMap((each) => ("view" in each ? [each.view] : []));
    if (events[0]) navigator.sendBeacon("/api/analytics/events", JSON.stringify({ events }));
  });
}
