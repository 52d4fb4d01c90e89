import { expect, type Locator, type Page } from "@playwright/test";

/**
 * Picks up a card by keyboard. dnd-kit announces it first; it handles arrow keys and knows the cards' positions some
 * tasks later, when the page is idle.
 */
export async function pickUp(page: Page, handle: Locator, said: string) {
  await handle.focus();
  await page.keyboard.press("Space");
  await expect(page.getByText(said)).toBeAttached();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestIdleCallback(done))));
}
