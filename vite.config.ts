import { join } from "node:path";
import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { adminRoutesLater } from "./scripts/admin-routes-later.ts";
import { chunks } from "./scripts/chunks.ts";
import { compileAhead } from "./scripts/compile-ahead.ts";
import { describedApi } from "./scripts/described-api.ts";
import { inlineScripts } from "./scripts/inline-scripts.ts";
import { keepWorkerOutOfBrowser } from "./scripts/keep-worker-out.ts";
import { licencesFile, onlyListedPackages } from "./scripts/licences-file.ts";
import { plainImports } from "./scripts/plain-imports.ts";
import { routeModules } from "./scripts/route-modules.ts";
import { serviceWorkerFile } from "./scripts/service-worker-file.ts";
import { shareFonts } from "./scripts/share-fonts.ts";
import { trackerFile } from "./scripts/tracker-file.ts";

export default defineConfig(({ command }) => ({
  // React Router lists a page's own modules, and lazy parts have no modules of their own to preload.
  environments: {
    client: {
      build: { modulePreload: false, rolldownOptions: { output: { codeSplitting: { groups: chunks } } } },
    },
    // Functions and classes keep their names, for the stack traces in the log. A Worker of the free plan has 3 MB at most (docs/deploy.md).
    ssr: {
      build: {
        rolldownOptions: {
          output: { minify: { compress: true, mangle: { keepNames: true }, codegen: true } },
        },
      },
    },
  },
  resolve: { alias: [{ find: /^zod$/, replacement: join(import.meta.dirname, "src/admin/shell/zod.ts") }] },
  // The content policy takes fonts from files, and most pages do without the small ones.
  build: { assetsInlineLimit: (file) => (file.endsWith(".woff2") ? false : undefined) },
  plugins: [
    keepWorkerOutOfBrowser(),
    inlineScripts(),
    trackerFile(),
    describedApi(),
    serviceWorkerFile(),
    shareFonts(),
    licencesFile(),
    onlyListedPackages(),
    compileAhead(["platform"]),
    plainImports(),
    routeModules(),
    adminRoutesLater(),
    cloudflare({
      config: ({ vars }) => ({
        main: "worker/index.ts",
        // Edited code must be rendered each time.
        vars: command === "serve" ? { ...vars, EDGE_CACHE: "off" } : vars,
      }),
      viteEnvironment: { name: "ssr" },
      inspectorPort: false,
      remoteBindings: false,
    }),
    tailwindcss(),
    reactRouter(),
  ],
}));
