import { redirect, type MiddlewareFunction } from "react-router";
import { siteContext } from "#site/context.ts";
import { findMeantAddress } from "#worker/discovery/meant-address.ts";
import { isPersonal } from "./loader.server.ts";

/** Redirects a badly copied address, for example with a sentence's punctuation, to the intended one. */
export const redirectMistyped: MiddlewareFunction<Response> = async ({ context, url }, next) => {
  const address = await findMeantAddress(context.get(siteContext), url);
  if (address === null) return next();
  // As long as for other addresses of the site (worker/app.ts); a token stays out of caches.
  const caching = isPersonal(new URL(address, url).pathname) ? "no-store" : "public, max-age=3600";
  throw redirect(address, { status: 301, headers: { "Cache-Control": caching } });
};
