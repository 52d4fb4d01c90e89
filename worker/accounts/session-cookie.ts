import type { Context as HonoContext } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { requireUser } from "#worker/access/capabilities.ts";
import { sessionCookieOf } from "#worker/accounts/cookie.ts";
import { MAX_SESSION_MS, type SessionToken } from "#worker/accounts/session-token.ts";
import { renewSession, sessionWithFactor } from "#worker/accounts/sessions.ts";
import type { HonoEnv } from "#worker/platform/http/router.ts";
import { logAsNull } from "#worker/platform/log.ts";

type RequestContext = HonoContext<HonoEnv>;

export const cookieAttributes = { httpOnly: true, sameSite: "Lax", path: "/" } as const;

export const currentToken = (c: RequestContext) => getCookie(c, sessionCookieOf(c.req.url).name);

/** The cookie has the maximum lifetime; the token in it decides when the session ends. */
export function keepSession(c: RequestContext, token: string) {
  const { name, secure } = sessionCookieOf(c.req.url);
  setCookie(c, name, token, { ...cookieAttributes, secure, maxAge: MAX_SESSION_MS / 1000 });
}

/** After a second factor was set up in the session. Without the new cookie its user signs in again. */
export async function keepWithFactor(c: RequestContext) {
  const { ctx } = c.var;
  const token = await sessionWithFactor(ctx, requireUser(ctx)).catch(logAsNull("sessions: not renewed"));
  if (token !== null) keepSession(c, token);
}

export function forgetSession(c: RequestContext) {
  const { name, secure } = sessionCookieOf(c.req.url);
  deleteCookie(c, name, { ...cookieAttributes, secure });
}

/** Renews the cookie of a session in use with an answer of the admin area, which no cache stores. */
export async function renewCookie(c: RequestContext, session: SessionToken) {
  const { name } = sessionCookieOf(c.req.url);
  const isSet = c.res.headers.getSetCookie().some((cookie) => cookie.startsWith(`${name}=`));
  if (isSet || !/^(?:\/api)?\/admin(?:[/.]|$)/.test(c.req.path)) return;
  const token = await renewSession(c.var.ctx, session).catch(logAsNull("sessions: not renewed"));
  if (token !== null) keepSession(c, token);
}
