/**
 * How pages are counted: `inline/counting.ts` counts visitors who leave immediately, and loads the tracker
 * (`src/analytics/tracker`) for the others.
 */

/** Name of the meta element with a page's content, such as "page /about". A page without it is not counted. */
export const COUNTED = "counted";

/** Key in sessionStorage of the tracker's session and the contents shown in it. */
export const SEEN = "analytics";

/** Milliseconds from the page's load to the tracker's, unless the visitor presses something earlier. */
export const TRACKER_AFTER = 3000;
