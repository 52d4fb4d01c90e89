import type { BrowserContext } from "@playwright/test";

/** As in a browser whose user allows sites to keep nothing. */
export const forbidStorage = (context: BrowserContext) =>
  context.addInitScript(() =>
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("The user denied storage.", "SecurityError");
      },
    }),
  );
