import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";

/** Fails the build if code that runs on the Worker would be shipped to the browser. */
function keepWorkerOutOfBrowser(): Plugin {
  const workerCode = /\/worker\/(?!.*\/contract\.ts$)[^?]+\.tsx?$/;
  return {
    name: "keep-worker-out-of-browser",
    enforce: "pre",
    load(id) {
      if (this.environment.name !== "client" || !workerCode.test(id)) return;
      this.error(
        `${id} runs on the Worker and would be shipped to the browser. ` +
          "Import types from it, a contract.ts beside it, or call its use case inside a loader.",
      );
    },
  };
}

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
