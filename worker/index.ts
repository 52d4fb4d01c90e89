import { hasSession } from "#worker/accounts/cookie.ts";
import { placeOf } from "#worker/addresses.ts";
import { answerKept } from "#worker/platform/cache.ts";
import type { JobMessage } from "#worker/platform/context.ts";

/**
 * What is kept is answered without the site. So an isolate starts with the little that stands here, and reads the rest
 * when something is to be made.
 */
const loadSite = () => import("#worker/site.ts");
const loadJobs = () => import("#worker/jobs.ts");

async function answer(request: Request, env: Env, execution: ExecutionContext) {
  const { site } = await loadSite();
  return site.fetch(request, env, execution);
}

export default {
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
