import type { Page } from "@playwright/test";
import { HYDRATED } from "../../../src/document/deferred-hydration.ts";
import type { RouterGlobals } from "../../../src/document/router-globals.ts";
import { recordRequests } from "./record-requests.ts";

declare global {
  interface Window {
    isHydrated?: boolean;
  }
}

const prepared = new WeakSet<Page>();

/** Opens an address and waits for hydration: before it, forms and links work as plain HTML. */
export async function openHydrated(page: Page, url: string) {
  if (!prepared.has(page)) {
    prepared.add(page);
    recordRequests(page);
    await page.addInitScript((event) => addEventListener(event, () => (window.isHydrated = true)), HYDRATED);
  }
  const response = await page.goto(url);
  await hydrated(page);
  return response;
}

/**
 * Shows another address in the document that `openHydrated` opened, as a link does: for many screens in a row, since a
 * document for each takes twice the time.
 */
export async function goTo(page: Page, path: string) {
  await page.evaluate(async (to) => {
    const { __reactRouterDataRouter: router } = window as unknown as RouterGlobals;
    // Otherwise React may render it later.
    await router.navigate(to, { flushSync: true });
    // A blocked navigation resolves, too. No comparison of paths: some addresses redirect.
    const { blockers, navigation } = router.state;
    const isBlocked = [...blockers.values()].some(({ state }) => state === "blocked");
    if (isBlocked || navigation.state !== "idle") throw new Error(`The router has not arrived at ${to}.`);
  }, path);
  await formsHydrated(page);
}

/**
 * Waits for the hydration of another document in such a page. The event is a sign of a visitor, for which the scripts
 * wait, and is no press that a test counts.
 */
export async function hydrated(page: Page) {
  await page.evaluate(() => dispatchEvent(new Event("focusin")));
  await page.waitForFunction(() => window.isHydrated);
  await formsHydrated(page);
}

/** A form in a part that is loaded separately, such as the comments, is hydrated after the document. */
export async function formsHydrated(page: Page) {
  await page.waitForFunction(() =>
    [...document.forms].every((form) => Object.keys(form).some((key) => key.startsWith("__reactProps$"))),
  );
}
