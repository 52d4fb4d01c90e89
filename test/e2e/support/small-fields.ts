import type { Page } from "@playwright/test";

/** iOS enlarges the page around a smaller field that is tapped, and leaves it so. */
const SMALLEST = 16;

/** Fields with smaller letters than that. */
export const smallFields = (page: Page) =>
  page.locator("input, textarea, select").evaluateAll(
    (fields, smallest) =>
      fields
        .filter(
          (field) =>
            !/^(?:hidden|checkbox|radio|range|color|file|submit)$/.test(field.getAttribute("type") ?? ""),
        )
        .filter((field) => parseFloat(getComputedStyle(field).fontSize) < smallest)
        .map(
          (field) =>
            `${field.tagName} ${field.getAttribute("name") ?? field.getAttribute("aria-label") ?? field.id}`,
        ),
    SMALLEST,
  );
