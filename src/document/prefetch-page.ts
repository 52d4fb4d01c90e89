import { matchRoutes, type Location } from "react-router";
import type { RouterGlobals } from "./router-globals.ts";

/**
 * Whether a page can be loaded: fetches the data and modules that the router will request, which it then finds in the
 * browser's cache. Without this check the router replaces the layout with an error if they cannot be loaded.
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
  // A layout with its own `shouldRevalidate` already has its data.
  const withData = matched.filter(
    (route) => route.hasLoader && (route === page || !loaded[route.id]?.shouldRevalidate),
  );
  const modules = matched.filter(({ id }) => !loaded[id]).flatMap(filesOf);
  return [dataAddress(to, withData), ...modules];
}

type Named = { id: string };
type Files = { module: string; imports?: string[]; css?: string[] };

const filesOf = ({ module, imports = [], css = [] }: Files) => [module, ...imports, ...css];

/** The router's own address of a page's data, so that the router finds it in the cache. */
function dataAddress({ pathname, search }: Location, routes: Named[]) {
  const url = new URL(`${pathname}${pathname.endsWith("/") ? "_" : ""}.data${search}`, location.origin);
  if (routes.length > 0) url.searchParams.set("_routes", routes.map(({ id }) => id).join(","));
  return url.href;
}

/** Rejects without a complete answer. An error response counts as an answer, since it has a page of its own. */
const fetchWhole = async (address: string) => (await fetch(address)).arrayBuffer();
