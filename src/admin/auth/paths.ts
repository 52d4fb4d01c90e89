export const LOGIN = "/admin/login";
/** Requests an email with a link to reset the password. */
export const RESET = `${LOGIN}?reset`;
/** Redirects to the first tab that the role may use. */
const AFTER_LOGIN = "/admin";

/** The state of the location that logging out is sent to, which looks like any other page's. */
export const LOGOUT = { isLogout: true };
export const isLogout = (state: unknown) => (state as Partial<typeof LOGOUT> | null)?.isLogout === true;

/** Characters. Percent-encoded they take up to three times as many, and proxies limit the length of a header. */
const LONGEST = 2000;

type Place = { pathname: string; search: string };

/** The login, which returns to the page afterwards and says if the session has ended. */
export function loginPath({ pathname, search }: Place, hasEnded: boolean) {
  const next = pathname + search;
  const params = new URLSearchParams(next.length <= LONGEST ? { next } : {});
  if (hasEnded) params.set("ended", "1");
  return `${LOGIN}?${params}`;
}

/** Where to go after the login: always a page of the admin area. */
export function safeNext(next: string | null) {
  if (!next?.startsWith("/")) return AFTER_LOGIN;
  // The host must not be changed by `//host` or `/\host`, which browsers read as another site.
  const base = "https://this.invalid";
  const url = URL.parse(next, base);
  return url?.origin === base && isInside(url.pathname) ? url.pathname + url.search : AFTER_LOGIN;
}

const isInside = (pathname: string) =>
  /^\/admin(\/|$)/i.test(pathname) &&
  !/^\/admin\/(login|setup|verify-email|reset-password|invitation)\b/i.test(pathname);
