import type { MiddlewareHandler } from "hono";
import { html } from "hono/html";
import { AppError } from "#worker/platform/errors.ts";
import { isLocal } from "#worker/platform/http/local-address.ts";
import { plainPage } from "#worker/platform/http/plain-page.ts";
import type { HonoEnv } from "#worker/platform/http/router.ts";
import { SAFE_METHODS } from "#worker/platform/http/security.ts";

/** Whether a request came without TLS to a site whose address has it. Cloudflare's Always Use HTTPS may be off. */
export const isUnencrypted = ({ url }: Request, siteUrl: string) =>
  url.startsWith("http:") && siteUrl.startsWith("https:") && !isLocal(url);

/** Whether it came by a version of TLS before 1.2 (RFC 8996). Cloudflare's Minimum TLS Version allows them by default. */
export const hasOldTls = ({ cf }: Request) =>
  ["SSLv3", "TLSv1", "TLSv1.1"].includes(String((cf as { tlsVersion?: unknown } | undefined)?.tlsVersion));

/**
 * Redirects what people and feed readers open to https. Writes and the API are refused: a redirect would hide from a
 * program that it sends its data in clear. By an old version of TLS, only pages, feeds and files are answered.
 */
export const requireHttps: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const isClosed = c.req.path.startsWith("/api/") || !SAFE_METHODS.includes(c.req.method);
  if (isUnencrypted(c.req.raw, c.env.SITE_URL)) {
    if (isClosed) throw new AppError("forbidden", "This request was not encrypted. Use https.");
    return c.redirect(c.req.url.replace("http:", "https:"), 301);
  }
  if (!hasOldTls(c.req.raw)) return next();
  if (isClosed) throw new AppError("forbidden", OLD_TLS);
  if (!ADMIN.test(c.req.path)) return next();
  return c.html(plainPage("Update your browser", html`<p>${OLD_TLS}</p>`), 403);
};

const OLD_TLS = "This connection uses an old version of TLS. Use 1.2 or newer.";
const ADMIN = /^\/admin(?:[/.]|$)/i;
