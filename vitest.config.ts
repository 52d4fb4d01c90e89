import { builtinModules } from "node:module";
import { availableParallelism } from "node:os";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vitest/config";
import { inlineScripts } from "./scripts/inline-scripts.ts";

export default defineConfig({
  // Fixtures that no browser shows or plays.
  assetsInclude: ["**/*.heic", "**/*.aiff"],
  plugins: [
    cloudflareTest(async () => ({
      main: "./test/support/worker.ts",
      wrangler: { configPath: "./wrangler.toml" },
      remoteBindings: false,
      miniflare: { bindings: { EDGE_CACHE: "off", MIGRATIONS: await readD1Migrations("migrations") } },
    })),
    inlineScripts(),
    reactRouter(),
  ],
  test: {
    include: ["test/*.test.{ts,tsx}"],
    fsModuleCache: false,
    // Vitest leaves a core to itself, of two as well; it has little to do while a file runs.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // The first page that a file asks for compiles the whole site.
    testTimeout: 60_000,
    setupFiles: ["./test/support/setup.ts"],
    deps: {
      optimizer: {
        // CommonJS that requires an ES module does not load in workerd unless it is bundled first; and icons are nearly two
        // thousand modules, each of which each file of tests would ask for.
        ssr: {
          enabled: true,
          include: ["podcast-partytime", "lucide-react"],
          rolldownOptions: { external: [...builtinModules, /^node:/] },
        },
      },
    },
  },
});
