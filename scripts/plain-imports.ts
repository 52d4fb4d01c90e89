import type { Plugin } from "vite";

/** The module that Vite wraps each dynamic import with. */
const HELPER = "\0vite/preload-helper.js";

/** What Vite calls when a chunk that is imported dynamically has a style sheet. */
const STYLES = "__vite__mapDeps";

/**
 * Removes Vite's preload helper, 0.9 kB of each first visit, from the browser's code: lazy parts load their style
 * sheets with `loadStylesheet`, and preload no modules. The build fails if Vite no longer has that helper, or if a lazy
 * part imports a style sheet, which would not be loaded.
 */
export function plainImports(): Plugin {
  let isReplaced = false;
  return {
    name: "plain-imports",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "client",
    load(id) {
      if (id !== HELPER) return null;
      isReplaced = true;
      return "export const __vitePreload = (load) => load();";
    },
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        if (!isReplaced) this.error(`Vite does not import ${HELPER} any more.`);
        for (const output of Object.values(bundle))
          if (output.type === "chunk" && output.code.includes(STYLES))
            this.error(
              `${output.fileName} imports a part with a style sheet. Import that as "?url" and load it with loadStylesheet.`,
            );
      },
    },
  };
}
