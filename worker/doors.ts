import { hasSession } from "#worker/accounts/cookie.ts";
import { placeOf } from "#worker/addresses.ts";
import { answerKept } from "#worker/platform/cache.ts";
import type * as Jobs from "#worker/jobs.ts";
import type { JobMessage } from "#worker/platform/context.ts";
import type * as Site from "#worker/site.ts";

/** What stands behind the doors, each read when it is first needed. */
type Rooms = {
  loadSite: () => Promise<typeof Site>;
  loadJobs: () => Promise<typeof Jobs>;
};

/** The Worker's three doors. What is kept is answered without the site. */
export function createDoors({ loadSite, loadJobs }: Rooms) {
  let read: typeof Site | undefined;
  const answer = async (request: Request, env: Env, execution: ExecutionContext) => {
    read ??= await loadSite();
    return read.site.fetch(request, env, execution);
  };
  return {
    async fetch(request, env, execution) {
      const render = (normalised: Request) => answer(normalised, env, execution);
      const kept = await answerKept(request, { env, execution, placeOf, mustBeNew: hasSession, render });
      if (kept) return kept;
      const made = await answer(request, env, execution);
      made.headers.append("Server-Timing", 'cache;desc="bypass"');
      return made;
    },
    queue: async (batch, env, execution) => (await loadJobs()).consume(batch, env, execution),
    scheduled: async (event, env, execution) => (await loadJobs()).tick(event, env, execution),
  } satisfies ExportedHandler<Env, JobMessage>;
}
