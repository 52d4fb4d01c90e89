import { createRequestHandler, RouterContextProvider } from "react-router";
import { siteContext } from "#site/context.ts";
import { createApp } from "#worker/app.ts";

const loadBuild = () => import("virtual:react-router/server-build");

let pageHandler: ReturnType<typeof createRequestHandler> | undefined;

/** A handler that gets the build as a function derives its routes again for each request; development needs that. */
async function renderPage(request: Request, context: RouterContextProvider) {
  pageHandler ??= createRequestHandler(
    import.meta.env.DEV ? loadBuild : await loadBuild(),
    import.meta.env.MODE,
  );
  return pageHandler(request, context);
}

/** All that answers requests: the API, the documents, and the pages. */
export const site = createApp((request, ctx) => {
  const context = new RouterContextProvider();
  context.set(siteContext, ctx);
  return renderPage(request, context);
});
