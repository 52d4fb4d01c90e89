import type { MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { METHOD_NAME_ALL } from "hono/router";
import { MissingScope, requireScopes } from "#worker/access/capabilities.ts";
import { isForAnyToken, scopesOf } from "#worker/access/scopes.ts";
import { actorOfToken, recordTokenWrite } from "#worker/accounts/tokens.ts";
import { bearerOf, SAFE_METHODS } from "#worker/platform/http/security.ts";
import type { HonoEnv } from "#worker/platform/http/router.ts";

/**
 * Lets a program act by its token, where the token's scopes allow the route. The session cookie of such a request is not
 * read (app.ts).
 */
export const acceptToken: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const secret = bearerOf(c.req.raw);
  if (secret !== null) {
    c.set("ctx", { ...c.var.ctx, actor: await actorOfToken(c.var.ctx, secret) });
    // The first one answers: `/subscribers/export` is also an address of `/subscribers/:id`.
    const route = matchedRoutes(c).find(({ method }) => method !== METHOD_NAME_ALL);
    const name = route && `${route.method} ${route.path.replace(/(.)\/$/, "$1")}`;
    const isOpen = name !== undefined && isForAnyToken(name);
    if (name && !isOpen) requireScopes(c.var.ctx, scopesOf(name));
    await next();
    if (name && !isOpen && c.res.ok && !SAFE_METHODS.includes(c.req.method))
      c.var.ctx.later(recordTokenWrite(c.var.ctx, name));
  } else await next();
};

/** How a program authenticates (RFC 6750 §3). */
export const challenge: MiddlewareHandler<HonoEnv> = async (c, next) => {
  await next();
  const hasToken = bearerOf(c.req.raw) !== null;
  if (c.res.status === 401)
    c.header("WWW-Authenticate", hasToken ? 'Bearer error="invalid_token"' : "Bearer");
  if (c.error instanceof MissingScope)
    c.header("WWW-Authenticate", `Bearer error="insufficient_scope", scope="${c.error.scopes.join(" ")}"`);
};
