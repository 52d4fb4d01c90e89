/** Scrolls to a part of the page and moves the focus there. A `#` address would be another page to the router, and to a form. */
export function goToPart(part: HTMLElement | null, focused = part) {
  part?.scrollIntoView({ block: "start" });
  // Non-interactive elements need a tabindex for focus.
  if (focused && focused.tabIndex < 0) focused.tabIndex = -1;
  focused?.focus({ preventScroll: true });
}
