/** Attributes of what is open as long as it is rendered, in a browser: an element like others where it has no popovers. */
export const shownAsPopover = () =>
  "popover" in HTMLElement.prototype ? ({ popover: "manual" } as const) : {};

/** Selector of an open popover. `:is()` lets a browser ignore what it does not know. */
export const OPEN_POPOVER = ":is(:popover-open)";
