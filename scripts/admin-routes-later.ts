import type { Plugin } from "vite";

/** The router's list of all routes, as its plugin writes it. */
const BUILD = "\0virtual:react-router/server-build";
const ADMIN = "virtual:admin-routes";
const LOADED_ADMIN = `\0${ADMIN}`;

const IMPORT = /^\s*import \* as (route\d+) from "(?:[^"]*\/)?src\/admin\/[^"]*";$/gm;
const ROUTE = /^\s*"[^"]+": \{[^{}]*module: (route\d+)\s*\}(?:,$)?/gm;

/**
 * Has the built Worker import the routes of the admin area in one chunk on the first request that needs them, since evaluating
 * them takes longer than those of all public pages: the router's list keeps the others, and exports `loadAdminRoutes`
 * (`worker/site.ts`). The build fails if the router writes its list differently.
 */
export function adminRoutesLater(): Plugin {
  let admin = "";
  return {
    name: "admin-routes-later",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "ssr",
    resolveId: (source) => (source === ADMIN ? LOADED_ADMIN : null),
    load: (id) => (id === LOADED_ADMIN ? admin : null),
    transform(code, id) {
      if (id !== BUILD) return null;
      const imports = [...code.matchAll(IMPORT)];
      const modules = new Set(imports.map(([, module]) => module));
      const routes = [...code.matchAll(ROUTE)].filter(([, module]) => modules.has(module));
      if (imports.length === 0 || routes.length !== imports.length)
        return this.error("React Router writes its list of routes in another way.");
      const written = routes.map(([route]) => route.replace(/,$/, ""));
      admin = `${imports.map(([line]) => line).join("\n")}\nexport const routes = {${written.join(",\n")}};`;
      const others = code
        .replace(IMPORT, (line, module: string) => (modules.has(module) ? "" : line))
        .replace(ROUTE, (route, module: string) => (modules.has(module) ? "" : route));
      return `${others}\nexport const loadAdminRoutes = async () => (await import("${ADMIN}")).routes;`;
    },
  };
}
