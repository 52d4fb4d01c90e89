import type { MiddlewareHandler } from "hono";
import { AppError } from "#worker/platform/errors.ts";
import { isLocal } from "#worker/platform/http/local-address.ts";
import type { HonoEnv } from "#worker/platform/http/router.ts";
import { SAFE_METHODS } from "#worker/platform/http/security.ts";

/** Whether a request came without TLS to a site whose address has it. Cloudflare's Always Use HTTPS may be off. */
export const isUnencrypted = ({ url }: Request, siteUrl: string) =>
  url.startsWith("http:") && siteUrl.startsWith("https:") && !isLocal(url);

/**
 * Redirects what people and feed readers open to https. Writes and the API are refused: a redirect would hide from a
 * program that it sends its data in clear.
 */
export const requireHttps: MiddlewareHandler<HonoEnv> = async (c, next) => {
  if (!isUnencrypted(c.req.raw, c.env.SITE_URL)) return next();
  if (c.req.path.startsWith("/api/") || !SAFE_METHODS.includes(c.req.method))
    throw new AppError("forbidden", "This request was not encrypted. Use https.");
  return c.redirect(c.req.url.replace("http:", "https:"), 301);
};
