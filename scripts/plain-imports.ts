import type { Plugin } from "vite";

const HELPER = "\0vite/preload-helper.js";

/**
 * Leaves a dynamic import as it is. Vite wraps each in a helper that fetches the part's modules and style sheets ahead,
 * which every first visit would carry; there are no such style sheets here (see `src/ui/stylesheet.ts`), and the modules
 * come soon enough.
 */
export function plainImports(): Plugin {
  return {
    name: "plain-imports",
    enforce: "pre",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    load: (id) => (id === HELPER ? "export const __vitePreload = (load) => load();" : undefined),
    generateBundle(_, bundle) {
      for (const output of Object.values(bundle)) {
        const sheets = output.type === "chunk" && output.isDynamicEntry && output.viteMetadata?.importedCss;
        if (sheets && sheets.size > 0) {
          this.error(
            `${output.name} imports a style sheet, which nothing would load: use its ?url and loadStylesheet.`,
          );
        }
      }
    },
  };
}
