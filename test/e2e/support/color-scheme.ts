import { expect, type Page } from "@playwright/test";

/** As the system does; the page hears of it with a later frame, and then has the colours of its theme. */
export async function setColorScheme(page: Page, colorScheme: "light" | "dark") {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator("html")).toHaveClass(new RegExp(`\\b${colorScheme}\\b`));
}
