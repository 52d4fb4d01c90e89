import type { BrowserContext } from "@playwright/test";

/**
 * Said because of Playwright: tests do without the service worker, and it asks each frame and document for something by a
 * script, also where none may run.
 */
const OF_PLAYWRIGHT = /^Service Worker registration blocked by Playwright|^Blocked script execution in /;

/** Collects what a page complains of: console errors, exceptions, refused content. */
export function complaintsOf(context: BrowserContext) {
  const complaints: string[] = [];
  context.on("console", (message) => {
    const isComplaint = message.type() === "error" || message.type() === "warning";
    if (isComplaint && !OF_PLAYWRIGHT.test(message.text())) complaints.push(message.text());
  });
  context.on("weberror", (error) => complaints.push(error.error().message));
  return complaints;
}
