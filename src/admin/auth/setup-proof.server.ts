import { parse } from "hono/utils/cookie";
import { setupCookieOf } from "#worker/accounts/cookie.ts";

/** The proof of the browser that sent the set-up form; empty for every other. */
export function setupProofOf({ headers, url }: Request) {
  const { name } = setupCookieOf(url);
  return parse(headers.get("Cookie") ?? "", name)[name] ?? "";
}
