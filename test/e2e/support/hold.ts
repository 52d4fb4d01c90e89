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
