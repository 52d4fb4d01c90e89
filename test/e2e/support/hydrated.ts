import type { Page } from "@playwright/test";
import { HYDRATED } from "../../../src/held-scripts.ts";

declare global {
  interface Window {
    isHydrated?: boolean;
  }
}

/** Opens an address and waits until React has taken over: before then forms and links work as plain HTML. */
export async function openHydrated(page: Page, url: string) {
  await page.addInitScript((event) => addEventListener(event, () => (window.isHydrated = true)), HYDRATED);
  const response = await page.goto(url);
  await hydrated(page);
  return response;
}

/** The same for another document of a page that was opened so. */
export const hydrated = (page: Page) => page.waitForFunction(() => window.isHydrated);
