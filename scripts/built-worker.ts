import { readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { root } from "./tools.ts";
import { moduleFiles } from "./worker-size.ts";

/** The folder of a checkout's built Worker. */
const buildOf = (checkout: string) => join(checkout, "build", "server");

/** The bindings of wrangler.toml for the built Worker, as options of Miniflare. */
export const builtOptions = (checkout = root) =>
  unstable_getMiniflareWorkerOptions(join(buildOf(checkout), "wrangler.json")).workerOptions;

/** The built Worker's code, as options of Miniflare. */
export function builtModules(checkout = root) {
  const folder = buildOf(checkout);
  return { modules: readModules(folder), modulesRoot: folder };
}

/**
 * The entry first, as Miniflare requires, and large ones last: it copies all earlier ones for each, which takes a quarter of a
 * second more of each start.
 */
function readModules(folder: string) {
  const rankOf = (path: string) => (relative(folder, path) === "index.js" ? -1 : statSync(path).size);
  const paths = moduleFiles(folder).toSorted((a, b) => rankOf(a) - rankOf(b));
  return paths.map((file) => {
    const path = relative(folder, file).split(sep).join("/");
    return file.endsWith(".wasm")
      ? { type: "CompiledWasm" as const, path, contents: readFileSync(file) }
      : { type: "ESModule" as const, path, contents: readFileSync(file, "utf8") };
  });
}

/** The D1 database's name and id in wrangler.toml. */
export const databaseBinding = (checkout = root) =>
  (builtOptions(checkout).d1Databases as { DB: { id: string } }).DB;
