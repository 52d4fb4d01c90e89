import { join } from "node:path";
import { build, type InlineConfig, type Rolldown } from "vite";
import { onlyListedPackages } from "./licences-file.ts";
import { root } from "./tools.ts";

/** The code of a browser script with its imports, as one file; `entry` is a path from the root. */
export async function bundleScript(entry: string, config: Pick<InlineConfig, "plugins" | "define"> = {}) {
  const outputs = (await build({
    define: config.define,
    plugins: [...(config.plugins ?? []), onlyListedPackages()],
    configFile: false,
    root,
    publicDir: false,
    logLevel: "silent",
    build: {
      write: false,
      target: "es2022",
      minify: true,
      rolldownOptions: { input: join(root, entry), output: { format: "iife" } },
    },
  })) as Rolldown.RolldownOutput;
  const [{ code }] = outputs.output;
  return code;
}
