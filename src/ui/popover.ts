import { OPEN_POPOVER } from "./open-popover.ts";

/** Attributes of what is open as long as it is rendered, in a browser: an element like others where it has no popovers. */
export const shownAsPopover = () =>
  "popover" in HTMLElement.prototype ? ({ popover: "manual" } as const) : {};

/** Selector of what is open over the page. Dialogs of Radix are in the document only while they are open. */
export const OPEN_MODAL = `dialog[open], [role=dialog], [role=alertdialog], ${OPEN_POPOVER}`;
