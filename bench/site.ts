import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { prepare } from "../scripts/local.ts";
import { root } from "../scripts/tools.ts";

const HOST = "127.0.0.1";

/**
 * How the site keeps its answers: in memory too, in the data centre's store alone, or not at all. Their sockets lead
 * past the local stand-in for static assets, which the platform serves before it asks a Worker; `whole` has it.
 */
const sites = { on: 8788, store: 8787, off: 8786, whole: 8785 };
export type Mode = keyof typeof sites;
const BARE_PORT = 8789;

/**
 * Where Linux keeps files in memory. The local stand-ins for D1 and the Cache API wait for the disk after each read, in
 * the one thread that everything runs in; the platform's do not.
 */
const IN_MEMORY = "/dev/shm";

export type Bench = {
  site: (mode: Mode) => string;
  /** Answers of a given size and status from memory; the same through `/store/…` from the Cache API; `/media/…` from R2. */
  bare: string;
  env: Env;
  stop: () => Promise<void>;
};

/**
 * The production build and a bare Worker in one workerd, each on a socket of its own: the dev servers' own proxies cap
 * at a few thousand requests a second, and would be all that is measured.
 */
export async function startBench(): Promise<Bench> {
  const state = await mkdtemp(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), "rostrum-bench-"));
  // However it ends: what stays would keep memory.
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  process.once("exit", () => rmSync(state, { recursive: true, force: true, maxRetries: 5 }));
  await prepare(state);
  const modes = Object.keys(sites) as Mode[];
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      resourcePersistencePath: join(state, "v3"),
      workers: [...modes.map(siteWorker), bareWorker()],
    }),
  );
  await miniflare.ready;
  return {
    site: (mode) => `http://${HOST}:${sites[mode]}`,
    bare: `http://${HOST}:${BARE_PORT}`,
    env: await miniflare.getBindings<Env>("rostrum-on"),
    stop: () => miniflare.dispose(),
  };
}

const BUILD = join(root, "build", "server");

function siteWorker(mode: Mode): V4WorkerOptions {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(BUILD, "wrangler.json"));
  const { queueConsumers: _, assets, ...options } = workerOptions;
  return {
    ...options,
    ...(mode === "whole" && { assets: assets as { directory: string } }),
    name: `rostrum-${mode}`,
    bindings: {
      ...(options["bindings"] as Record<string, string>),
      EDGE_CACHE: mode === "whole" ? "on" : mode,
    },
    modules: readModules(BUILD),
    modulesRoot: BUILD,
    unsafeDirectSockets: [{ host: HOST, port: sites[mode] }],
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

function bareWorker(): V4WorkerOptions {
  const { r2Buckets } = unstable_getMiniflareWorkerOptions(join(BUILD, "wrangler.json")).workerOptions;
  return {
    name: "bare",
    compatibilityDate: "2026-08-01",
    modules: true,
    r2Buckets: r2Buckets as Record<string, string>,
    script: BARE,
    unsafeDirectSockets: [{ host: HOST, port: BARE_PORT }],
  };
}

const BARE = `
  const bodies = new Map();
  function constant(size) {
    if (!bodies.has(size)) bodies.set(size, size > 0 ? new Uint8Array(size).fill(120) : null);
    return bodies.get(size);
  }
  function answer(url, size) {
    return new Response(constant(size), {
      status: Number(url.searchParams.get("status") ?? 200),
      headers: { "Content-Type": url.searchParams.get("type") ?? "text/plain" },
    });
  }
  async function fromStore(request, url) {
    const found = await caches.default.match(request.url);
    if (found) return found;
    const made = answer(url, Number(url.pathname.split("/").at(-1)));
    made.headers.set("Cache-Control", "public, max-age=3600");
    await caches.default.put(request.url, made.clone());
    return made;
  }
  async function fromR2(request, url, env) {
    const object = await env.MEDIA.get(url.pathname.slice("/media/".length), { range: request.headers });
    const { offset, length } = object.range;
    const range = "bytes " + offset + "-" + (offset + length - 1) + "/" + object.size;
    return new Response(object.body, { status: 206, headers: { "Content-Range": range } });
  }
  export default {
    fetch(request, env) {
      const url = new URL(request.url);
      if (url.pathname.startsWith("/store/")) return fromStore(request, url);
      if (url.pathname.startsWith("/media/")) return fromR2(request, url, env);
      return answer(url, Number(url.pathname.slice(1)));
    },
  };`;
