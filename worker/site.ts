import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import { siteContext } from "#site/context.ts";
import { createApp } from "#worker/app.ts";
import type { Context } from "#worker/platform/context.ts";

/**
 * A build has the public routes, and `loadAdminRoutes` imports the others (`scripts/admin-routes-later.ts`). In
 * development and in tests there is no such function, and all routes are here.
 */
type Build = ServerBuild & { loadAdminRoutes?: () => Promise<ServerBuild["routes"]> };
const loadBuild = (): Promise<Build> => import("virtual:react-router/server-build");

type Handle = ReturnType<typeof createRequestHandler>;

let handlePublic: Handle | undefined;
let handleAll: Handle | undefined;

async function renderPage(request: Request, context: RouterContextProvider) {
  const { pathname } = new URL(request.url);
  const handle = NEEDS_ALL.test(pathname)
    ? (handleAll ??= handlerOf(await loadAll()))
    : (handlePublic ??= handlerOf(await loadPublic()));
  return handle(request, context);
}

/**
 * The admin area, and the router's list of routes. The router ignores case and decodes the path, and no public path needs a
 * percent sign.
 */
const NEEDS_ALL = /^\/(?:admin|__manifest)\b|%/i;

/** Given as a function, the build is read again for each request, which development needs. */
const handlerOf = (build: ServerBuild) =>
  createRequestHandler(import.meta.env.MODE === "development" ? loadBuild : build, import.meta.env.MODE);

/** React Router goes through all routes of a build for each page. Two thirds of them are the admin area's. */
async function loadPublic(): Promise<ServerBuild> {
  const build = await loadBuild();
  const assets = { ...build.assets, routes: withoutAdmin(build.assets.routes) };
  return { ...build, routes: withoutAdmin(build.routes), assets };
}

async function loadAll(): Promise<ServerBuild> {
  const build = await loadBuild();
  return { ...build, routes: { ...build.routes, ...(await build.loadAdminRoutes?.()) } };
}

/** By route id, which begins with the folder of the module. */
const withoutAdmin = <Route>(routes: Record<string, Route>) =>
  Object.fromEntries(Object.entries(routes).filter(([id]) => !id.startsWith("admin/")));

function answerPage(request: Request, ctx: Context) {
  const context = new RouterContextProvider();
  context.set(siteContext, ctx);
  return renderPage(request, context);
}

const pages = createApp(answerPage);
let whole: typeof pages | undefined;

async function loadWhole() {
  const { mountApi } = await import("#worker/api.ts");
  return createApp(answerPage, mountApi);
}

/** Hono decodes paths. */
const NEEDS_API = /^\/api(?:\/|$)|%/;

/** All that answers requests. The API is imported for its first request: pages and documents start without it. */
export const site = {
  async fetch(request: Request, env: Env, execution: ExecutionContext) {
    const needsApi = NEEDS_API.test(new URL(request.url).pathname);
    return (needsApi ? (whole ??= await loadWhole()) : pages).fetch(request, env, execution);
  },
};
