import { join } from "node:path";
import { build, type Rolldown } from "vite";
import { root } from "../tools.ts";

/** A script of `browser/` for the pages. */
export async function bundle(name: "search" | "timestamps") {
  const outputs = (await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: "silent",
    build: {
      write: false,
      target: "es2022",
      minify: true,
      rolldownOptions: {
        input: join(root, "scripts/static/browser", `${name}.ts`),
        output: { format: "iife" },
      },
    },
  })) as Rolldown.RolldownOutput;
  return outputs.output[0].code;
}
