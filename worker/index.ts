import { createRequestHandler, RouterContextProvider } from "react-router";
import { siteContext } from "#site/context.ts";
import { createApp } from "#worker/app.ts";
import { consume, tick } from "#worker/jobs.ts";
import type { JobMessage } from "#worker/platform/context.ts";

const render = createRequestHandler(() => import("virtual:react-router/server-build"), import.meta.env.MODE);

const app = createApp((request, ctx) => {
  const context = new RouterContextProvider();
  context.set(siteContext, ctx);
  return render(request, context);
});

export default {
  fetch: app.fetch,
  queue: consume,
  scheduled: tick,
} satisfies ExportedHandler<Env, JobMessage>;
