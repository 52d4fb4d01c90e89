import { expect, type Locator, type Page } from "@playwright/test";

/**
 * Picks up a card by the keyboard. dnd-kit says so first; it hears the arrow keys and knows the places of the cards some
 * tasks later, when the page is idle.
 */
export async function pickUp(page: Page, handle: Locator, said: string) {
  await handle.focus();
  await page.keyboard.press("Space");
  await expect(page.getByText(said)).toBeAttached();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestIdleCallback(done))));
}
