/**
 * Attribute of an open popover, for browsers that have none (Safari before 17, Firefox before 125): `app.css` hides one
 * without it, and `document/inline/popover.ts` sets it at a press.
 */
export const OPEN = "data-open";

/** Attributes of a popover that is open as long as it is rendered. */
export const openPopover = { [OPEN]: "" };

/** Selector of an open popover. `:is()` lets a browser ignore what it does not know. */
export const OPEN_POPOVER = `:is(:popover-open, [popover][${OPEN}])`;
