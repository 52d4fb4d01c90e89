/** Selector of an open popover. `:is()` makes browsers ignore an unknown selector. */
export const OPEN_POPOVER = ":is(:popover-open)";
