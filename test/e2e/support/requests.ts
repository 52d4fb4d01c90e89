import { expect, type Page, type Request } from "@playwright/test";

/**
 * Watches what a page asks for. `untilFetched` waits until scripts of these names have come since, and all that was asked
 * for beside them: Playwright's "networkidle" is said once of a document, and is over when something comes later.
 */
export function watchRequests(page: Page) {
  const underway = new Set<Request>();
  const ended: string[] = [];
  const end = (request: Request) => {
    underway.delete(request);
    ended.push(request.url());
  };
  page.on("request", (request) => underway.add(request));
  page.on("requestfinished", end);
  page.on("requestfailed", end);
  const missing = (names: string[]) =>
    names.filter((name) => !ended.some((url) => url.includes(`/assets/${name}-`)));
  return {
    untilFetched: (...names: string[]) =>
      expect
        .poll(() => ({ missing: missing(names), underway: [...underway].map((request) => request.url()) }))
        .toEqual({ missing: [], underway: [] }),
  };
}
