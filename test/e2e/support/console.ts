import type { BrowserContext } from "@playwright/test";

/** Collects what a page complains of: console errors, exceptions, refused content. */
export function complaintsOf(context: BrowserContext) {
  const complaints: string[] = [];
  context.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  context.on("weberror", (error) => complaints.push(error.error().message));
  return complaints;
}
