import { expect, type Page } from "@playwright/test";

/** Of so many requests the server does what they ask, and the page hears that the connection is lost. */
export const loseAnswers = (page: Page, address: string, times: number) =>
  page.route(
    address,
    async (route) => {
      expect((await route.fetch()).ok()).toBe(true);
      await route.abort();
    },
    { times },
  );
