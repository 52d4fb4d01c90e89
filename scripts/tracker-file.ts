import { createHash } from "node:crypto";
import type { Plugin } from "vite";
import { bundleScript } from "./bundle-script.ts";

const MODULE = "virtual:tracker-file";
const ENTRY = "src/analytics/tracker/main.ts";

/** The tracker as one script. */
export const bundleTracker = () => bundleScript(ENTRY);

/**
 * `import address from "virtual:tracker-file"` gives the address of the tracker, which the browser's build writes as a file
 * of its own: the other modules share chunks, and the tracker must not wait for them, nor they for it.
 */
export function trackerFile(): Plugin {
  let isBuild = false;
  let bundled: Promise<{ code: string; fileName: string }> | undefined;
  const bundle = async () => {
    const code = await bundleTracker();
    const hash = createHash("sha256").update(code).digest("base64url").slice(0, 8);
    return { code, fileName: `assets/tracker-${hash}.js` };
  };
  return {
    name: "tracker-file",
    configResolved: ({ command }) => {
      isBuild = command === "build";
    },
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    async load(id) {
      if (id !== `\0${MODULE}`) return undefined;
      // Vite's server transforms the source.
      const path = isBuild ? (await (bundled ??= bundle())).fileName : ENTRY;
      return `export default ${JSON.stringify(`/${path}`)};`;
    },
    async generateBundle() {
      if (this.environment.name !== "client") return;
      const { code, fileName } = await (bundled ??= bundle());
      this.emitFile({ type: "asset", fileName, source: code });
    },
  };
}
