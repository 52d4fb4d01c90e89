import { api, ApiError } from "#site/api.ts";

/** Otherwise, with blocked cookies, the right password would lead back to an empty login without an explanation. */
export async function requireKeptCookie() {
  const { status } = await api.session.$get();
  if (status !== 401) return;
  const message = "Your browser blocked the sign-in cookie. Allow cookies for this site, then sign in again.";
  throw new ApiError(status, { code: "unauthenticated", message });
}
