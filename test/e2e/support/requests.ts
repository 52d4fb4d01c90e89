import { expect, type Page, type Request } from "@playwright/test";

/**
 * Watches a page's requests. `untilFetched` waits until scripts with these names, and all other requests so far, have
 * finished: Playwright's "networkidle" fires once for a document, and is over when something is requested later.
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
