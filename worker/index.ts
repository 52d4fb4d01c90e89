import { hasSession } from "#worker/accounts/cookie.ts";
import { placeOf } from "#worker/addresses.ts";
import { consume, tick } from "#worker/jobs.ts";
import { answerKept } from "#worker/platform/cache.ts";
import type { JobMessage } from "#worker/platform/context.ts";
import { site } from "#worker/site.ts";

export default {
  async fetch(request, env, execution) {
    const render = (normalised: Request) => site.fetch(normalised, env, execution);
    const kept = await answerKept(request, { env, execution, placeOf, mustBeNew: hasSession, render });
    if (kept) return kept;
    const made = await site.fetch(request, env, execution);
    made.headers.append("Server-Timing", 'cache;desc="bypass"');
    return made;
  },
  queue: consume,
  scheduled: tick,
} satisfies ExportedHandler<Env, JobMessage>;
