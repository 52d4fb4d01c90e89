import { expect, type Page } from "@playwright/test";

/**
 * Stops a page's clock until `page.clock.resume()`: messages that are shown for some seconds stay, however slow the
 * machine is.
 */
export const stopClock = (page: Page) =>
  // Playwright refuses a time that the clock has already passed; at the second try the clock is stopped.
  expect(async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)).toPass();
