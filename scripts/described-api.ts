import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";
import type * as describing from "../worker/openapi/describe.ts";
import { root } from "./tools.ts";

const MODULE = "virtual:described-api";
const SOURCE = "worker/openapi/describe.ts";

/**
 * `import description from "virtual:described-api"` gives what `describeApi` returns, in the built Worker as JSON: an isolate
 * would take some 40 ms of processor time to make it, and the free plan gives a request 10.
 */
export function describedApi(): Plugin {
  let isBuild = false;
  return {
    name: "described-api",
    configResolved: ({ command }) => {
      isBuild = command === "build";
    },
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    async load(id) {
      if (id !== `\0${MODULE}`) return undefined;
      // Edited schemas must be read each time.
      if (!isBuild) return `import { describeApi } from "/${SOURCE}"; export default describeApi();`;
      const { describeApi } = (await import(pathToFileURL(join(root, SOURCE)).href)) as typeof describing;
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(describeApi()))});`;
    },
  };
}
