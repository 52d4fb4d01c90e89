/**
 * What a page says of itself to be counted: `inline/counting.ts` counts those who leave at once, and loads the tracker
 * (`src/analytics/tracker`) for those who stay.
 */

/** Name of a page's meta element: what it is counted as, such as "page /about". Without it, it is not counted. */
export const COUNTED = "counted";

/** Key in the tab's storage of what the tracker keeps there: its session, and what was shown in it. */
export const SEEN = "analytics";

/** Milliseconds after a page has loaded until the tracker is loaded, if nobody presses anything before. */
export const TRACKER_AFTER = 3000;
