import { isLocal } from "#worker/platform/local-address.ts";

/**
 * `__Host-`: only over HTTPS, only for this host, for every path. Not where a site is tried out at http://localhost: WebKit
 * keeps no Secure cookie of it.
 */
const cookieOf = (name: string) => (url: string) =>
  url.startsWith("http:") && isLocal(url)
    ? { name: `rostrum-${name}`, secure: false }
    : { name: `__Host-${name}`, secure: true };

/** The session cookie of the site at this address. */
export const sessionCookieOf = cookieOf("session");

/** The cookie of the browser that sent the set-up form, with its proof. */
export const setupCookieOf = cookieOf("setup");

/** Whether a request brings one, be it one that opens anything or not. */
export const hasSession = ({ headers, url }: Request) =>
  headers.get("Cookie")?.includes(`${sessionCookieOf(url).name}=`) ?? false;
