import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const OURS = fileURLToPath(new URL("../src/document/route-modules.ts", import.meta.url));
const ITS_OWN = "./routeModules.js";
const ROUTER = /[\\/]react-router[\\/]dist[\\/]/;

/**
 * Has the router load route modules through `src/document/route-modules.ts` in a browser. The build fails if the router
 * no longer has its own file for that.
 */
export function routeModules(): Plugin {
  let isReplaced = false;
  return {
    name: "route-modules",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "client",
    resolveId(source, importer) {
      if (source !== ITS_OWN || !importer || !ROUTER.test(importer)) return null;
      isReplaced = true;
      return OURS;
    },
    generateBundle() {
      if (!isReplaced) this.error(`React Router does not import ${ITS_OWN} any more.`);
    },
  };
}
