import { hasSession } from "#worker/accounts/cookie.ts";
import { cacheKeyOf } from "#worker/cache-key.ts";
import { serveFromCache } from "#worker/platform/cache.ts";
import type * as Jobs from "#worker/jobs.ts";
import type { JobMessage } from "#worker/platform/context.ts";
import { SAFE_METHODS } from "#worker/platform/security.ts";
import type * as Site from "#worker/site.ts";

/** What stands behind the doors, each read when it is first needed. */
type Rooms = {
  loadSite: () => Promise<typeof Site>;
  loadJobs: () => Promise<typeof Jobs>;
};

/** The Worker's three entries. A cache hit is answered without the site. */
export function createDoors({ loadSite, loadJobs }: Rooms) {
  let read: typeof Site | undefined;
  const answer = async (request: Request, env: Env, execution: ExecutionContext) => {
    read ??= await loadSite();
    return read.site.fetch(request, env, execution);
  };
  return {
    async fetch(request, env, execution) {
      const render = (normalised: Request) => answer(normalised, env, execution);
      const journey = { env, execution, cacheKeyOf, needsLatest: hasSession, render };
      const cached = await serveFromCache(request, journey);
      if (cached) return cached;
      const made = await answer(request, env, execution);
      // A write says nothing of its work: the count of its statements would tell a known address from a new one.
      if (SAFE_METHODS.includes(request.method)) made.headers.append("Server-Timing", 'cache;desc="bypass"');
      return made;
    },
    queue: async (batch, env, execution) => (await loadJobs()).consume(batch, env, execution),
    scheduled: async (event, env, execution) => (await loadJobs()).tick(event, env, execution),
  } satisfies ExportedHandler<Env, JobMessage>;
}
