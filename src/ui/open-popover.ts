/** Selector of an open popover. `:is()` lets a browser ignore what it does not know. */
export const OPEN_POPOVER = ":is(:popover-open)";
