import { OPEN_POPOVER } from "./open-popover.ts";

/** Attributes of a popover that is open while rendered; in browsers without popovers a plain element. */
export const shownAsPopover = () =>
  "popover" in HTMLElement.prototype ? ({ popover: "manual" } as const) : {};

/** Selector of everything open over the page. Dialogs of Radix are in the document only while they are open. */
export const OPEN_MODAL = `dialog[open], [role=dialog], [role=alertdialog], ${OPEN_POPOVER}`;
