import { isLocal } from "#worker/platform/http/local-address.ts";

/**
 * `__Host-`: only over HTTPS, only for this host, for every path. Not at http://localhost, where WebKit stores no
 * Secure cookies.
 */
const cookieOf = (name: string) => (url: string) =>
  url.startsWith("http:") && isLocal(url)
    ? { name: `rostrum-${name}`, secure: false }
    : { name: `__Host-${name}`, secure: true };

/** The session cookie of the site at this address. */
export const sessionCookieOf = cookieOf("session");

/** The cookie of the browser that sent the set-up form, with its proof. */
export const setupCookieOf = cookieOf("setup");

/** The cookie by which a browser is known to the users who have signed in with it. */
export const deviceCookieOf = cookieOf("device");

/** The cookie of a member’s session, which no route of the admin area reads. */
export const memberCookieOf = cookieOf("member");

/** Whether a request has a session cookie, valid or not. */
export const hasSession = ({ headers, url }: Request) =>
  headers.get("Cookie")?.includes(`${sessionCookieOf(url).name}=`) ?? false;
