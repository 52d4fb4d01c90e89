import type { BrowserContext } from "@playwright/test";

/** Said by Playwright, of tests that do without the service worker. */
const BLOCKED = "Service Worker registration blocked by Playwright";

/** Collects what a page complains of: console errors, exceptions, refused content. */
export function complaintsOf(context: BrowserContext) {
  const complaints: string[] = [];
  context.on("console", (message) => {
    const isComplaint = message.type() === "error" || message.type() === "warning";
    if (isComplaint && message.text() !== BLOCKED) complaints.push(message.text());
  });
  context.on("weberror", (error) => complaints.push(error.error().message));
  return complaints;
}
