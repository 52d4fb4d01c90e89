import { matchRoutes, type Location } from "react-router";
import type { RouterGlobals } from "./router-globals.ts";

/**
 * Whether a page is to be had: asks for what the router is going to ask for, the page's data and modules, which it then
 * finds in the browser's cache. By itself the router shows an error in place of the layout where they cannot be loaded.
 */
export async function isReachable(to: Location) {
  const answers = await Promise.allSettled(addressesOf(to).map(fetchWhole));
  return answers.every(({ status }) => status === "fulfilled");
}

function addressesOf(to: Location) {
  const {
    __reactRouterDataRouter: { routes },
    __reactRouterManifest: manifest,
    __reactRouterRouteModules: loaded,
  } = window as unknown as RouterGlobals;
  const matched = matchRoutes(routes, to)?.flatMap(({ route }) => manifest.routes[route.id] ?? []) ?? [];
  const page = matched.at(-1);
  // A layout that decides itself whether it is loaded again has its data.
  const withData = matched.filter(
    (route) => route.hasLoader && (route === page || !loaded[route.id]?.shouldRevalidate),
  );
  const modules = matched.filter(({ id }) => !loaded[id]).flatMap(filesOf);
  return [dataAddress(to, withData), ...modules];
}

type Named = { id: string };
type Files = { module: string; imports?: string[]; css?: string[] };

const filesOf = ({ module, imports = [], css = [] }: Files) => [module, ...imports, ...css];

/** The router's own address of a page's data: under another it would not be found in the cache. */
function dataAddress({ pathname, search }: Location, routes: Named[]) {
  const url = new URL(`${pathname}${pathname.endsWith("/") ? "_" : ""}.data${search}`, location.origin);
  if (routes.length > 0) url.searchParams.set("_routes", routes.map(({ id }) => id).join(","));
  return url.href;
}

/** Rejects where nothing answers, or not to the end. An answer that is an error has a page of its own. */
const fetchWhole = async (address: string) => (await fetch(address)).arrayBuffer();
