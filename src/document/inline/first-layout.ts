/**
 * Skips the layout of content far below the fold until hydration (`content-visibility` in `app.css`). Skipped heights are
 * guesses, so a page that opens at a scroll position or an anchor is laid out whole.
 */
import type { FIRST_LAYOUT } from "../deferred-hydration.ts";

const name: typeof FIRST_LAYOUT = "first-layout";
const [page] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
if (page?.type === "navigate" && !location.hash) document.documentElement.classList.add(name);
