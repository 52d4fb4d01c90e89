import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { keepWorkerOutOfBrowser } from "./scripts/keep-worker-out.ts";

export default defineConfig({
  plugins: [
    keepWorkerOutOfBrowser(),
    cloudflare({
      config: { main: "worker/index.ts" },
      viteEnvironment: { name: "ssr" },
      inspectorPort: false,
      remoteBindings: false,
    }),
    tailwindcss(),
    reactRouter(),
  ],
});
