import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [
    cloudflareTest(async () => ({
      main: "./worker/index.ts",
      wrangler: { configPath: "./wrangler.toml" },
      remoteBindings: false,
      miniflare: { bindings: { MIGRATIONS: await readD1Migrations("migrations") } },
    })),
    reactRouter(),
  ],
  test: {
    include: ["test/*.test.{ts,tsx}"],
    fsModuleCache: false,
    setupFiles: ["./test/support/setup.ts"],
  },
});
