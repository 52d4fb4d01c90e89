import { test, type Page, type Response } from "@playwright/test";
import type { SentRequest } from "./admin-calls.ts";

/** The type of the annotations in which a test reports the requests of its pages. */
export const SENT = "admin request";

const WRITES = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** Notes each write of the admin API that a page sends and the server accepts, for `AdminCallsReporter`. */
export const recordRequests = (page: Page) =>
  page.on("response", (response) => {
    const sent = response.ok() && isFromSite(response) && sentRequest(response);
    if (sent) test.info().annotations.push({ type: SENT, description: JSON.stringify(sent) });
  });

/** Not made up by a test: the site's own answers have its headers. */
const isFromSite = (response: Response) => "x-content-type-options" in response.headers();

function sentRequest(response: Response): SentRequest | null {
  const request = response.request();
  const { pathname: path } = new URL(request.url());
  if (!path.startsWith("/api/admin/") || !WRITES.has(request.method())) return null;
  const { referer } = request.headers();
  return referer ? { method: request.method(), path, screen: new URL(referer).pathname } : null;
}
