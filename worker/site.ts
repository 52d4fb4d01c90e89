import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import { siteContext } from "#site/context.ts";
import { createApp } from "#worker/app.ts";

const loadBuild = () => import("virtual:react-router/server-build");

type Handle = ReturnType<typeof createRequestHandler>;

/** For the public pages, and for all. */
let handlers: { site: Handle; whole: Handle } | undefined;

async function renderPage(request: Request, context: RouterContextProvider) {
  handlers ??= await createHandlers();
  const { pathname } = new URL(request.url);
  return (NEEDS_ALL.test(pathname) ? handlers.whole : handlers.site)(request, context);
}

/**
 * The admin area, and the router's list of routes. The router ignores case and decodes the path, and no public path needs a
 * percent sign.
 */
const NEEDS_ALL = /^\/(?:admin|__manifest)\b|%/i;

async function createHandlers() {
  // Given as a function, the build is read again for each request, which development needs.
  const [site, whole] = import.meta.env.DEV ? [loadBuild, loadBuild] : await loadBuilds();
  return {
    site: createRequestHandler(site, import.meta.env.MODE),
    whole: createRequestHandler(whole, import.meta.env.MODE),
  };
}

/** React Router goes through all routes of a build for each page. Two thirds of them are the admin area's. */
async function loadBuilds(): Promise<[site: ServerBuild, whole: ServerBuild]> {
  const whole = await loadBuild();
  const routes = withoutAdmin(whole.routes);
  const assets = { ...whole.assets, routes: withoutAdmin(whole.assets.routes) };
  return [{ ...whole, routes, assets }, whole];
}

/** By route id, which begins with the folder of the module. */
const withoutAdmin = <Route>(routes: Record<string, Route>) =>
  Object.fromEntries(Object.entries(routes).filter(([id]) => !id.startsWith("admin/")));

/** All that answers requests: the API, the documents, and the pages. */
export const site = createApp((request, ctx) => {
  const context = new RouterContextProvider();
  context.set(siteContext, ctx);
  return renderPage(request, context);
});
