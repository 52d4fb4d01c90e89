import { createPath } from "react-router";
import type { RouterGlobals } from "./router-globals.ts";

type RouteFiles = { id: string; module: string; imports?: string[] };

/**
 * Replaces the router's function of that name (`scripts/route-modules.ts`). The router's reloads the document if a
 * module cannot be loaded, even a prefetched one: offline that destroys the page and stops its audio. Here it is an
 * error. The files are fetched first, because most browsers cache a failed import. If a newer version of the site has
 * other files, a navigation loads the page as a document.
 *
 * @throws without a connection, and if a file of a prefetched page no longer exists
 */
export async function loadRouteModule(
  { id, module, imports = [] }: RouteFiles,
  loaded: Record<string, unknown>,
) {
  if (id in loaded) return loaded[id];
  const answers = await Promise.all([module, ...imports].map((file) => fetch(file)));
  if (answers.some(({ ok }) => !ok)) {
    const { __reactRouterDataRouter: router } = window as unknown as RouterGlobals;
    const { location: to } = router.state.navigation;
    // Never resolves: the document unloads. A prefetch fails below instead.
    if (to) return new Promise(() => location.assign(createPath(to)));
  }
  return (loaded[id] = await import(/* @vite-ignore */ module));
}
