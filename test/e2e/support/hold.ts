import type { Page } from "@playwright/test";

/** Keeps requests to an address waiting until the returned function is called. */
export async function hold(page: Page, address: string) {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
