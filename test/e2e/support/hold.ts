import type { Page, Route } from "@playwright/test";

/** Keeps requests to an address, or the first `times` of them, waiting until the returned function is called. */
export async function hold(page: Page, address: string, options?: { times: number }) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const wait = async (route: Route) => {
    await released;
    await route.continue();
  };
  await page.route(address, wait, options);
  return release;
}

/**
 * Keeps the first request to an address (`*` is any text) waiting by the browser itself, for pages that upload: a route of
 * Playwright's stops each request of the page and reads its body.
 */
export async function holdFirst(page: Page, address: string) {
  const browser = await page.context().newCDPSession(page);
  const { promise: isHeld, resolve } = Promise.withResolvers<{ requestId: string }>();
  browser.once("Fetch.requestPaused", resolve);
  await browser.send("Fetch.enable", { patterns: [{ urlPattern: address }] });
  const release = async () => {
    await browser.send("Fetch.continueRequest", { requestId: (await isHeld).requestId });
    await browser.detach();
  };
  return { isHeld, release };
}
