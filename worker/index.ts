import { createRequestHandler, RouterContextProvider } from "react-router";
import { siteContext } from "#site/context.ts";
import { SESSION_COOKIE } from "#worker/accounts/contract.ts";
import { placeOf } from "#worker/addresses.ts";
import { createApp } from "#worker/app.ts";
import { consume, tick } from "#worker/jobs.ts";
import { answerKept } from "#worker/platform/cache.ts";
import type { JobMessage } from "#worker/platform/context.ts";

const loadBuild = () => import("virtual:react-router/server-build");

let pageHandler: ReturnType<typeof createRequestHandler> | undefined;

/** A handler that is given the build as a function derives its routes anew for each request; development needs that. */
async function renderPage(request: Request, context: RouterContextProvider) {
  pageHandler ??= createRequestHandler(
    import.meta.env.DEV ? loadBuild : await loadBuild(),
    import.meta.env.MODE,
  );
  return pageHandler(request, context);
}

const app = createApp((request, ctx) => {
  const context = new RouterContextProvider();
  context.set(siteContext, ctx);
  return renderPage(request, context);
});

const hasSession = ({ headers }: Request) => headers.get("Cookie")?.includes(SESSION_COOKIE) ?? false;

export default {
  async fetch(request, env, execution) {
    const render = (normalised: Request) => app.fetch(normalised, env, execution);
    const kept = await answerKept(request, { env, execution, placeOf, mustBeNew: hasSession, render });
    if (kept) return kept;
    const answer = await app.fetch(request, env, execution);
    answer.headers.append("Server-Timing", 'cache;desc="bypass"');
    return answer;
  },
  queue: consume,
  scheduled: tick,
} satisfies ExportedHandler<Env, JobMessage>;
