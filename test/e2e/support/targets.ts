import type { Page } from "@playwright/test";

/** Pixels: WCAG 2.5.8. */
const LEAST = 24;

/** Controls smaller than that, except those within a sentence. */
export const smallTargets = (page: Page) =>
  page.evaluate((least) => {
    /** A link within a sentence is as high as the text. */
    const isInSentence = (element: Element) =>
      getComputedStyle(element).display === "inline" &&
      [...(element.parentElement?.childNodes ?? [])].some(
        (node) => node !== element && (node.textContent ?? "").trim().length > 1,
      );
    /** Elements hidden until they have the focus, or always. */
    const isUnseen = (element: Element) =>
      element.closest('.sr-only, [aria-hidden="true"], [inert]') !== null ||
      !element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true });
    const pressed = 'a[href], button, input:not([type="hidden"]), select, textarea, summary';
    return [...document.querySelectorAll(pressed)]
      .filter((element) => !isUnseen(element) && !isInSentence(element))
      .map((element) => ({ element, box: (element.closest("label") ?? element).getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.width < least || box.height < least))
      .map(({ element, box }) => {
        const name = element.getAttribute("aria-label") ?? element.textContent.trim();
        return `${name}: ${Math.round(box.width)} × ${Math.round(box.height)}`;
      });
  }, LEAST);
