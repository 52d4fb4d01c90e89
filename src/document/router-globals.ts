import type { DataRouter, UNSAFE_AssetsManifest } from "react-router";

type RouterGlobals = {
  __reactRouterDataRouter: DataRouter;
  __reactRouterManifest: UNSAFE_AssetsManifest;
  __reactRouterRouteModules: Record<string, { shouldRevalidate?: unknown } | undefined>;
};

/** What the router keeps on the window (react-router/dist, hydrated-router). */
export const routerGlobals = () => window as unknown as RouterGlobals;
