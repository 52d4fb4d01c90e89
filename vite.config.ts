import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { keepWorkerOutOfBrowser } from "./scripts/keep-worker-out.ts";

/** Many small files compress worse than one: what every public page needs travels in two. */
const codeSplitting = {
  groups: [
    {
      name: "platform",
      test: /node_modules[\\/](react|react-dom|react-router|scheduler|cookie-es|@remix-run|jotai)[\\/]/,
    },
    {
      name: "shell",
      test: /[\\/]src[\\/](site[\\/](header|footer|toast)|player[\\/](player|state)|ui[\\/](theme|progress|breadcrumb|button|format|states|icons))\./,
    },
    { name: "site", test: /[\\/]src[\\/]site[\\/]/, minShareCount: 8 },
  ],
};

export default defineConfig(({ command }) => ({
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting } } } } },
  plugins: [
    keepWorkerOutOfBrowser(),
    cloudflare({
      config: ({ vars }) => ({
        main: "worker/index.ts",
        // What is being edited is rendered anew each time.
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
