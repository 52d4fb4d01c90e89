import type { MiddlewareFunction } from "react-router";
import { siteContext } from "#site/context.ts";
import { allowTurnstile } from "#worker/platform/http/security.ts";

/**
 * Lets a document of the admin area load Turnstile, if the site has it: the login asks for it after several failures, and may be
 * reached without loading another document.
 */
export const allowRobotCheck: MiddlewareFunction<Response> = async ({ context }, next) => {
  const response = await next();
  if (context.get(siteContext).config.turnstile) allowTurnstile(response.headers);
  return response;
};
