import type { DataRouter, UNSAFE_AssetsManifest } from "react-router";

/** The router's globals on the window (react-router/dist, hydrated-router). */
export type RouterGlobals = {
  __reactRouterDataRouter: DataRouter;
  __reactRouterManifest: UNSAFE_AssetsManifest;
  __reactRouterRouteModules: Record<string, { shouldRevalidate?: unknown } | undefined>;
};
