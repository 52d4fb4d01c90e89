import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { root } from "./tools.ts";

const BUILD = join(root, "build", "server");

/** What wrangler.toml binds to the built Worker, as Miniflare takes it. */
export const builtOptions = () =>
  unstable_getMiniflareWorkerOptions(join(BUILD, "wrangler.json")).workerOptions;

/** The built Worker's code, as Miniflare takes it. */
export const builtModules = () => ({ modules: readModules(), modulesRoot: BUILD });

/** The entry first, as Miniflare wants it. */
function readModules() {
  const paths = readdirSync(BUILD, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(m?js|wasm)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted(
      (a, b) => Number(relative(BUILD, b) === "index.js") - Number(relative(BUILD, a) === "index.js"),
    );
  return paths.map((file) => {
    const path = relative(BUILD, file).split(sep).join("/");
    return file.endsWith(".wasm")
      ? { type: "CompiledWasm" as const, path, contents: readFileSync(file) }
      : { type: "ESModule" as const, path, contents: readFileSync(file, "utf8") };
  });
}

/** The D1 database's name and id in wrangler.toml. */
export const databaseBinding = () => (builtOptions().d1Databases as { DB: { id: string } }).DB;
