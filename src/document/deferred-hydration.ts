/**
 * Public pages hydrate after their first paint (docs/decisions/0010). The server makes React Router's module script
 * inert (`page-scripts.ts`), and `inline/hydrate.ts` decides when to run it.
 */

/** Dispatched on the window once React has hydrated the document. */
export const HYDRATED = "hydrated";

/** Attribute of a part of the page whose code loads later, and the event that it dispatches once hydrated. */
export const LATE = "data-late";
export const LATE_HYDRATED = "late-hydrated";

/** Attribute of an element whose code acts without the visitor, such as the question about other companies' tags, or the report of a search. */
export const UNPROMPTED = "data-unprompted";

/** Class of the root element until the document is hydrated, on a page that is shown from its top: see `inline/first-layout.ts`. */
export const FIRST_LAYOUT = "first-layout";

/** Attribute of an element once its iframe has loaded: see `inline/frame.ts`. */
export const LOADED = "data-loaded";

/** Script type that no browser runs. */
export const DEFERRED = "text/deferred";
