import type { Page } from "@playwright/test";

/** The footer's controls that are covered, but by the header, once the page is scrolled to its end. */
export const coveredOf = (page: Page) =>
  page
    .getByRole("contentinfo")
    .locator("a, button, label:not([aria-hidden] *)")
    .evaluateAll((controls) => {
      scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
      const isCovered = (control: Element) => {
        const { left, top, width, height } = control.getBoundingClientRect();
        const over = document.elementFromPoint(left + width / 2, top + height / 2);
        return over !== null && !control.contains(over) && !over.closest("header");
      };
      return controls.filter(isCovered).map((control) => control.textContent);
    });
