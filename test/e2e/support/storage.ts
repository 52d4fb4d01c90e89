import type { BrowserContext } from "@playwright/test";

/** As in a browser whose user allows sites to keep nothing; to Firefox a channel between tabs is storage, too. */
export const forbidStorage = (context: BrowserContext) =>
  context.addInitScript(() => {
    const refuse = () => {
      throw new DOMException("The user denied storage.", "SecurityError");
    };
    Object.defineProperty(window, "localStorage", { get: refuse });
    window.BroadcastChannel = new Proxy(BroadcastChannel, { construct: refuse });
  });
