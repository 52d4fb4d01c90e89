import { isLocal } from "#worker/platform/local-address.ts";

/** `__Host-`: only over HTTPS, only for this host, for every path. */
const COOKIE = { name: "__Host-session", secure: true };
/** Where a site is tried out at http://localhost: WebKit keeps no Secure cookie of it. */
const LOCAL_COOKIE = { name: "rostrum-session", secure: false };

/** The session cookie of the site at this address. */
export const sessionCookieOf = (url: string) =>
  url.startsWith("http:") && isLocal(url) ? LOCAL_COOKIE : COOKIE;

/** Whether a request brings one, be it one that opens anything or not. */
export const hasSession = ({ headers, url }: Request) =>
  headers.get("Cookie")?.includes(`${sessionCookieOf(url).name}=`) ?? false;
