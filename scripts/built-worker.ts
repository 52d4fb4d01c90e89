import { readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from "miniflare";
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
  const modules = known.get(folder) ?? readModules(folder);
  known.set(folder, modules);
  return { modules, modulesRoot: folder };
}

/** The modules by folder: a process that starts many sites reads nine megabytes once. */
const known = new Map<string, ReturnType<typeof readModules>>();

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

const NAME = "rostrum";
const HOST = "127.0.0.1";

export type BuiltWorker = {
  /** The folder of its storage. */
  state: string;
  /** 0 for a free port, which the Worker does not know. */
  port?: number;
  /** Whether static assets are served, as the platform does before it asks the Worker. */
  hasAssets?: boolean;
  vars?: Record<string, string>;
  log: (entry: { level: string; message: string }) => void;
};

/**
 * Runs the built Worker in a workerd of its own, reached over a plain socket: the proxies of dev servers would hide what the
 * Worker itself answers, and take time.
 */
export async function startBuiltWorker({ state, port = 0, hasAssets = false, vars = {}, log }: BuiltWorker) {
  const { assets, bindings, ...options } = builtOptions();
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      resourcePersistencePath: join(state, "v3"),
      inspectorPort: 0,
      handleStructuredLogs: log,
      workers: [
        {
          ...options,
          ...builtModules(),
          ...(hasAssets && { assets: assets as V4WorkerOptions["assets"] }),
          bindings: { ...(bindings as Record<string, string>), ...vars },
          name: NAME,
          unsafeDirectSockets: [{ host: HOST, port }],
        },
      ],
    }),
  );
  await miniflare.ready;
  return { miniflare, url: (await miniflare.unsafeGetDirectURL(NAME)).origin };
}
