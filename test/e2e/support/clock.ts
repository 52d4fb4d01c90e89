import { expect, type Page } from "@playwright/test";

/** Stops a page's clock until `page.clock.resume()`: what is shown for some seconds stays, however slow the machine is. */
export const stopClock = (page: Page) =>
  // A clock that has passed that time when it is told of it is refused, and has stopped at the second try.
  expect(async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)).toPass();
