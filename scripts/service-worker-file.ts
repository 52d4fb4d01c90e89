import { createHash } from "node:crypto";
import type { Plugin } from "vite";
import { bundleScript } from "./bundle-script.ts";
import { inlineScripts } from "./inline-scripts.ts";

const FILE = "sw.js";
const ENTRY = "src/offline/service-worker/main.ts";
/** Unregisters what an earlier build left: `VITE_OFFLINE=off npm run build`. */
export const KILL_SWITCH = "src/offline/service-worker/unregister.ts";

type Constants = { BUILD: string; SHELL: string[] };

/** The service worker as one script. */
export const bundleServiceWorker = ({ BUILD, SHELL }: Constants, entry: string) =>
  bundleScript(entry, {
    plugins: [inlineScripts()],
    define: { BUILD: JSON.stringify(BUILD), SHELL: JSON.stringify(SHELL) },
  });

/** The pages' own style sheet, and the two fonts that each page preloads. */
const OF_SHELL = /^assets\/(?:root-[\w-]+\.css|(?:instrument-sans|newsreader)-[\w-]{8}\.woff2)$/;

/** A build is known by the files that it ships: their names have hashes. */
const nameOf = (files: string[]) =>
  createHash("sha256").update(files.toSorted().join("\n")).digest("base64url").slice(0, 8);

/**
 * Writes `/sw.js` beside the other files: its address never changes, so its headers are in `public/_headers`. In
 * development it is a kill switch, because edited files must not be cached.
 */
export function serviceWorkerFile(): Plugin {
  return {
    name: "service-worker-file",
    generateBundle: {
      // When all files have their names.
      order: "post",
      async handler(_, bundle) {
        if (this.environment.name !== "client") return;
        const files = Object.keys(bundle);
        const SHELL = files.filter((file) => OF_SHELL.test(file)).map((file) => `/${file}`);
        if (SHELL.length !== 3)
          this.error(`The offline page needs a style sheet and two fonts: ${SHELL.join()}`);
        const entry = process.env["VITE_OFFLINE"] === "off" ? KILL_SWITCH : ENTRY;
        const source = await bundleServiceWorker({ BUILD: nameOf(files), SHELL }, entry);
        this.emitFile({ type: "asset", fileName: FILE, source });
      },
    },
    configureServer(server) {
      server.middlewares.use(`/${FILE}`, (_, response, next) => {
        void bundleServiceWorker({ BUILD: "", SHELL: [] }, KILL_SWITCH).then((source) => {
          response.setHeader("Content-Type", "text/javascript").setHeader("Cache-Control", "no-cache");
          response.end(source);
        }, next);
      });
    },
  };
}
