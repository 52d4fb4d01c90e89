import { createPath } from "react-router";
import type { RouterGlobals } from "./router-globals.ts";

type RouteFiles = { id: string; module: string; imports?: string[] };

/**
 * Takes the place of the router's function of that name (`scripts/route-modules.ts`), which reloads the document where a
 * module cannot be loaded, even one that is only fetched ahead: without a connection that ends the page, and what it plays.
 * Here it is an error. The files are fetched first, because most browsers remember that an import failed. Where a newer
 * version of the site has other files, a page that is led to is loaded as a document.
 *
 * @throws without a connection, and where a file of a page that nobody is led to is gone
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
    // Never settled: the document goes. What is only fetched ahead fails below.
    if (to) return new Promise(() => location.assign(createPath(to)));
  }
  return (loaded[id] = await import(/* @vite-ignore */ module));
}
