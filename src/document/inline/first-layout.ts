/**
 * Lets the browser leave what is far below out of its first layout (`app.css`), until React has hydrated the page. The
 * heights of what is left out are guesses, so a page that is opened at a scroll position or at an anchor is laid out whole.
 */
import type { FIRST_LAYOUT } from "../deferred-hydration.ts";

const name: typeof FIRST_LAYOUT = "first-layout";
const [page] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
if (page?.type === "navigate" && !location.hash) document.documentElement.classList.add(name);
