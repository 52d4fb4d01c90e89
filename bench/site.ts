import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { prepare } from "../scripts/local.ts";
import { root } from "../scripts/tools.ts";

const HOST = "127.0.0.1";
const SITE_PORT = 8788;
const BARE_PORT = 8789;

export type Bench = {
  site: string;
  /** `{bare}/{bytes}?type=…&status=…` answers a constant of that size. */
  bare: string;
  env: Env;
  stop: () => Promise<void>;
};

/**
 * The production build and a bare Worker in one workerd, each on a socket of its own: the dev servers' own proxies cap
 * at a few thousand requests a second, and would be all that is measured.
 */
export async function startBench(): Promise<Bench> {
  const state = await mkdtemp(join(tmpdir(), "rostrum-bench-"));
  await prepare(state);
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      resourcePersistencePath: join(state, "v3"),
      workers: [siteWorker(), bareWorker()],
    }),
  );
  await miniflare.ready;
  return {
    site: `http://${HOST}:${SITE_PORT}`,
    bare: `http://${HOST}:${BARE_PORT}`,
    env: await miniflare.getBindings<Env>("rostrum"),
    async stop() {
      await miniflare.dispose();
      await rm(state, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function siteWorker(): V4WorkerOptions {
  const build = join(root, "build", "server");
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(build, "wrangler.json"));
  return {
    ...workerOptions,
    name: "rostrum",
    modules: readModules(build),
    modulesRoot: build,
    unsafeDirectSockets: [{ host: HOST, port: SITE_PORT }],
  };
}

/** The entry first, as Miniflare wants it. */
function readModules(build: string) {
  const paths = readdirSync(build, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.m?js$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted(
      (a, b) => Number(relative(build, b) === "index.js") - Number(relative(build, a) === "index.js"),
    );
  return paths.map((path) => ({
    type: "ESModule" as const,
    path: relative(build, path).split(sep).join("/"),
    contents: readFileSync(path, "utf8"),
  }));
}

const bareWorker = (): V4WorkerOptions => ({
  name: "bare",
  compatibilityDate: "2026-08-01",
  modules: true,
  script: `
    const bodies = new Map();
    function constant(size) {
      if (!bodies.has(size)) bodies.set(size, size > 0 ? new Uint8Array(size).fill(120) : null);
      return bodies.get(size);
    }
    export default {
      fetch(request) {
        const { pathname, searchParams } = new URL(request.url);
        return new Response(constant(Number(pathname.slice(1))), {
          status: Number(searchParams.get("status") ?? 200),
          headers: { "Content-Type": searchParams.get("type") ?? "text/plain" },
        });
      },
    };`,
  unsafeDirectSockets: [{ host: HOST, port: BARE_PORT }],
});
