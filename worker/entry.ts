import { hasSession } from "#worker/accounts/cookie.ts";
import { cacheKeyOf } from "#worker/cache-key.ts";
import { withDevice } from "#worker/listening-device.ts";
import { serveFromCache } from "#worker/platform/http/cache.ts";
import type * as Jobs from "#worker/jobs.ts";
import type { JobMessage } from "#worker/platform/context.ts";
import { inScope, scopeOf } from "#worker/platform/log.ts";
import { hasOldTls, isUnencrypted } from "#worker/platform/http/https.ts";
import { hasToken, SAFE_METHODS } from "#worker/platform/http/security.ts";
import type * as Site from "#worker/site.ts";

/** The rest of the Worker, imported when it is first needed. */
type Loaders = {
  loadSite: () => Promise<typeof Site>;
  loadJobs: () => Promise<typeof Jobs>;
};

/** The Worker's handlers. A cache hit is answered without importing the site. */
export function createWorker({ loadSite, loadJobs }: Loaders) {
  let loaded: typeof Site | undefined;
  const answer = async (request: Request, env: Env, execution: ExecutionContext) => {
    loaded ??= await loadSite();
    return loaded.site.fetch(request, env, execution);
  };
  const respond = async (asked: Request, env: Env, execution: ExecutionContext) => {
    // The redirect to https is for all devices.
    const isRedirected = isUnencrypted(asked, env.SITE_URL);
    const request = isRedirected ? asked : withDevice(asked);
    const render = (normalized: Request) => answer(normalized, env, execution);
    const journey = { env, execution, cacheKeyOf, needsLatest: hasSession, render };
    // A token is checked also for what is public.
    const asksFirst = isRedirected || hasOldTls(request) || hasToken(request);
    const cached = asksFirst ? null : await serveFromCache(request, journey);
    if (cached) return cached;
    const response = await answer(request, env, execution);
    // No Server-Timing on writes: its statement count would distinguish known from unknown email addresses.
    if (SAFE_METHODS.includes(request.method))
      response.headers.append("Server-Timing", 'cache;desc="bypass"');
    return response;
  };
  return {
    fetch: (request, env, execution) => inScope(scopeOf(request), () => respond(request, env, execution)),
    queue: async (batch, env, execution) => (await loadJobs()).consume(batch, env, execution),
    scheduled: async (event, env, execution) => (await loadJobs()).tick(event, env, execution),
    email: async (message, env, execution) => (await loadJobs()).receiveMail(message, env, execution),
  } satisfies ExportedHandler<Env, JobMessage>;
}
