/**
 * Runs before the first paint; lets the browser leave what is far below out of its first layout (`app.css`), until React
 * takes over (`root.tsx`). The heights of what was left out are guessed, so who comes back to a place within the page, or is
 * sent to one, gets all of it.
 */
import type { ARRIVING } from "../held-scripts.ts";

const arriving: typeof ARRIVING = "arriving";
const [page] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
if (page?.type === "navigate" && !location.hash) document.documentElement.classList.add(arriving);
