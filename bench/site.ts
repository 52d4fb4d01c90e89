import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import {
  convertV4MiniflareOptions,
  Miniflare,
  type RemoteProxyConnectionString,
  type V4WorkerOptions,
} from "miniflare";
import { openIsolateTimer, type IsolateTimer } from "./isolate-time.ts";
import { findWorkerds } from "./processor.ts";
import { folderInMemory } from "../scripts/in-memory.ts";
import { builtModules, builtOptions, databaseBinding } from "../scripts/built-worker.ts";
import { prepare } from "../scripts/local.ts";
import { root } from "../scripts/tools.ts";
import { freePort } from "../test/support/free-port.ts";

const HOST = "127.0.0.1";

/**
 * Cache settings: with memory, only in the data centre's store, or off; `few` is `off` with a database that stays
 * small. Their sockets bypass the local stand-in for static assets, which the platform serves before it calls a Worker;
 * `whole` includes it.
 */
const sites = {
  on: { keeps: "on", database: "usual" },
  store: { keeps: "store", database: "usual" },
  off: { keeps: "off", database: "usual" },
  whole: { keeps: "on", database: "usual" },
  few: { keeps: "off", database: "small" },
} as const;
export type Mode = keyof typeof sites;
const modes = Object.keys(sites) as Mode[];
/** Milliseconds. workerd closes a connection that was idle for five seconds, which is when the site asks for changes. */
const KEPT_ALIVE = 2000;

export type Bench = {
  site: (mode: Mode) => string;
  /**
   * Serves `/hello` and stored PUT bodies from memory; the same under `/store/…` from the Cache API; `/media/…` from
   * R2.
   */
  bare: string;
  env: Env;
  /** Gives `few` a copy of the current database. */
  keepSmall: () => Promise<void>;
  stop: () => Promise<void>;
};

/**
 * The production build and a bare Worker in one workerd, each on a socket of its own: the dev servers' own proxies cap
 * at a few thousand requests a second, and would be all that is measured. D1 is in another, as the platform's is on
 * another machine: a query and a render do not take turns in one thread.
 */
export async function startBench(): Promise<Bench> {
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  const state = await newState();
  const persisted = join(state, "v3");
  const ports = await findPorts([...modes, "usual", "small", "bare"]);
  const database = await start(persisted, [databaseWorker(ports.usual)]);
  const workers = await start(persisted, [
    ...modes.map((mode) => siteWorker(mode, ports)),
    bareWorker(ports.bare),
  ]);
  const running = [database, workers];
  const { DB } = await database.getBindings<Env>();
  const env = await workers.getBindings<Env>();
  // On a busy machine a request may come too late and fail; the next one opens a new connection.
  const keepAlive = (one: D1Database) =>
    one
      .prepare("select 1")
      .run()
      .catch(() => undefined);
  const alive = setInterval(() => void Promise.all([env.DB, DB].map(keepAlive)), KEPT_ALIVE);
  return {
    site: (mode) => `http://${HOST}:${ports[mode]}`,
    bare: `http://${HOST}:${ports.bare}`,
    env: { ...env, DB },
    async keepSmall() {
      const small = join(state, "small");
      cpSync(join(persisted, "d1"), join(small, "d1"), { recursive: true });
      running.push(await start(small, [databaseWorker(ports.small)]));
    },
    async stop() {
      clearInterval(alive);
      await Promise.all(running.map((one) => one.dispose()));
    },
  };
}

/** Ports that are all different. */
async function findPorts<Name extends string>(names: readonly Name[]) {
  const ports = new Set<number>();
  while (ports.size < names.length) ports.add(await freePort());
  return Object.fromEntries([...ports].map((port, at) => [names[at]!, port])) as Record<Name, number>;
}

/** With the demo, or a copy of another state. */
async function newState(checkout = root, copied?: string) {
  const state = await mkdtemp(join(folderInMemory(), "rostrum-bench-"));
  // On any exit: the remaining files would occupy memory.
  process.once("exit", () => rmSync(state, { recursive: true, force: true, maxRetries: 5 }));
  if (copied) cpSync(copied, state, { recursive: true });
  else if (checkout === root) await prepare(state);
  else execFileSync("npm", ["exec", "--", "node", "demo/load.ts", state], { cwd: checkout, stdio: "ignore" });
  return state;
}

/** What the site has asked its database for so far, with the rows as D1 counts them. */
export type Counts = { statements: number; trips: number; rowsRead: number; rowsWritten: number };

export type QueuedBench = {
  site: string;
  env: Env;
  /** That the site has asked its database for so far, also in batches. */
  statements: () => Promise<number>;
  counts: () => Promise<Counts>;
  /** Fires a cron as the platform does. */
  tick: (cron: string) => Promise<void>;
  /** The process of the site alone. */
  process: string;
  stop: () => Promise<void>;
};

/** A separate site with its queues, and a database that counts statements. */
export async function startQueuedBench(vars: Record<string, string> = {}): Promise<QueuedBench> {
  const persisted = join(await newState(), "v3");
  const { port, database: databasePort } = await findPorts(["port", "database"]);
  const database = await start(persisted, [databaseWorker(databasePort, COUNTING_DATABASE)]);
  const before = findWorkerds();
  const { queueConsumers } = builtOptions();
  const options = { ...workerAt({ port, keeps: "off", database: databasePort }), name: "rostrum-queued" };
  const site = await start(persisted, [
    { ...options, queueConsumers, bindings: { ...options.bindings, ...vars } } as V4WorkerOptions,
  ]);
  const { DB } = await database.getBindings<Env>();
  const counts = async () => (await (await fetch(`http://${HOST}:${databasePort}/asked`)).json()) as Counts;
  const worker = (await site.getWorker("rostrum-queued")) as unknown as Scheduled;
  return {
    site: `http://${HOST}:${port}`,
    env: { ...(await site.getBindings<Env>()), DB },
    statements: async () => (await counts()).statements,
    counts,
    tick: async (cron) => void (await worker.scheduled({ cron, scheduledTime: new Date() })),
    process: findWorkerds().find((id) => !before.includes(id)) ?? "",
    async stop() {
      await Promise.all([site, database].map((one) => one.dispose()));
    },
  };
}

/** What Miniflare's own types lose of a Worker. */
type Scheduled = { scheduled: (options: { cron: string; scheduledTime: Date }) => Promise<unknown> };

export type MeasuredSite = {
  /** Renders each answer. */
  url: string;
  /** Answers from R2 alone, as a data centre that has not seen the page. */
  fromBucket: string;
  /** The additional Worker in the same process. */
  beside: string;
  env: Env;
  /** Of the site alone, without its database. */
  process: string;
  /** Of the site at `url`. */
  timer: IsolateTimer;
  stop: () => Promise<void>;
};

/**
 * The built site of a checkout with its own demo, or a copy of a state, in its own process, beside an additional
 * Worker.
 */
export async function startMeasuredSite(
  checkout: string,
  script: string,
  copied?: string,
): Promise<MeasuredSite> {
  const ports = await findPorts(["rendered", "bucket", "beside", "database"]);
  const persisted = join(await newState(checkout, copied), "v3");
  const database = await start(persisted, [databaseWorker(ports.database)]);
  const before = findWorkerds();
  const place = { database: ports.database, checkout };
  const workers = [
    { ...workerAt({ ...place, port: ports.rendered, keeps: "off" }), name: MEASURED },
    { ...workerAt({ ...place, port: ports.bucket, keeps: "bucket" }), name: "rostrum-bucket" },
    bareWorker(ports.beside, script),
  ];
  const site = await start(persisted, workers, { inspectorPort: 0 });
  const { DB } = await database.getBindings<Env>();
  const urlOf = (name: keyof typeof ports) => `http://${HOST}:${ports[name]}`;
  const timer = await timerOf(site, MEASURED, `${urlOf("rendered")}/robots.txt`);
  return {
    url: urlOf("rendered"),
    fromBucket: urlOf("bucket"),
    beside: urlOf("beside"),
    env: { ...(await site.getBindings<Env>()), DB },
    process: findWorkerds().find((id) => !before.includes(id)) ?? "",
    timer,
    async stop() {
      timer.close();
      await Promise.all([site, database].map((one) => one.dispose()));
    },
  };
}

export type SteppedSite = {
  url: string;
  env: Env;
  /** What the site has asked of its database so far: statements, also in batches, and round trips. */
  asked: () => Promise<{ statements: number; trips: number }>;
  /** The process of the site alone, without its database. */
  process: string;
  /** An additional Worker in the same process, if a script is given. */
  beside: string;
  timer: IsolateTimer;
  stop: () => Promise<void>;
};

/**
 * The built site in its own process, within a Worker that holds queue messages back until it is asked to deliver some
 * (stepped-worker.js).
 */
export async function startSteppedSite(
  vars: Record<string, string> = {},
  copied?: string,
  script?: string,
): Promise<SteppedSite> {
  const persisted = join(await newState(root, copied), "v3");
  const ports = await findPorts(["site", "beside", "database"]);
  const database = await start(persisted, [databaseWorker(ports.database, COUNTING_DATABASE)]);
  const before = findWorkerds();
  const worker = workerAt({ port: ports.site, keeps: "off", database: ports.database });
  const shell = readFileSync(join(root, "bench", "stepped-worker.js"), "utf8");
  const site = await start(
    persisted,
    [
      {
        ...worker,
        modules: [{ type: "ESModule", path: "stepped-worker.js", contents: shell }, ...worker.modules],
        bindings: { ...worker.bindings, ...vars },
        name: STEPPED,
      } as V4WorkerOptions,
      bareWorker(ports.beside, script),
    ],
    { inspectorPort: 0 },
  );
  const { DB } = await database.getBindings<Env>();
  const url = `http://${HOST}:${ports.site}`;
  const timer = await timerOf(site, STEPPED, `${url}/robots.txt`);
  return {
    url,
    env: { ...(await site.getBindings<Env>()), DB },
    asked: async () =>
      (await (await fetch(`http://${HOST}:${ports.database}/asked`)).json()) as {
        statements: number;
        trips: number;
      },
    process: findWorkerds().find((id) => !before.includes(id)) ?? "",
    beside: `http://${HOST}:${ports.beside}`,
    timer,
    async stop() {
      timer.close();
      await Promise.all([site, database].map((one) => one.dispose()));
    },
  };
}

/** Names of the Workers whose isolates are measured. */
const MEASURED = "rostrum-measured";
const STEPPED = "rostrum-stepped";

const timerOf = async (site: Miniflare, name: string, small: string) =>
  openIsolateTimer(new URL(`/core:user:${name}`, await site.getInspectorURL()), async () =>
    (await fetch(small)).arrayBuffer(),
  );

async function start(
  resourcePersistencePath: string,
  workers: V4WorkerOptions[],
  options: { inspectorPort?: number } = {},
) {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({ resourcePersistencePath, workers, ...options }),
  );
  await miniflare.ready;
  return miniflare;
}

type Ports = Record<Mode | (typeof sites)[Mode]["database"], number>;

const siteWorker = (mode: Mode, ports: Ports): V4WorkerOptions => ({
  ...workerAt({ port: ports[mode], keeps: sites[mode].keeps, database: ports[sites[mode].database] }),
  ...(mode === "whole" && { assets: builtOptions().assets as { directory: string } }),
  name: `rostrum-${mode}`,
});

type Place = { port: number; keeps: string; database: number; checkout?: string };

/** Without its queues, which several sites would share. */
function workerAt({ port, keeps, database, checkout = root }: Place) {
  const { queueConsumers: _queues, assets: _assets, ...options } = builtOptions(checkout);
  const remoteProxyConnectionString = new URL(`http://${HOST}:${database}`) as RemoteProxyConnectionString;
  return {
    ...options,
    d1Databases: { DB: { ...databaseBinding(checkout), remoteProxyConnectionString } },
    bindings: {
      ...(options["bindings"] as Record<string, string>),
      EDGE_CACHE: keeps,
    },
    ...builtModules(checkout),
    unsafeDirectSockets: [{ host: HOST, port }],
  };
}

function bareWorker(port: number, script = BARE): V4WorkerOptions {
  const { r2Buckets } = builtOptions();
  return {
    name: "bare",
    compatibilityDate: "2026-08-01",
    modules: true,
    r2Buckets: r2Buckets as Record<string, string>,
    script,
    unsafeDirectSockets: [{ host: HOST, port }],
  };
}

const databaseWorker = (port: number, script = DATABASE): V4WorkerOptions => ({
  name: "database",
  compatibilityDate: "2026-08-01",
  modules: true,
  d1Databases: { DB: databaseBinding() },
  script,
  unsafeDirectSockets: [{ host: HOST, port }],
});

/** Takes what Miniflare's client of a remote binding sends: the request to D1, its address and headers in the head. */
const DATABASE = `
  const OF_D1 = "mf-header-";
  export default {
    fetch(request, env) {
      const given = [...request.headers].filter(([name]) => name.startsWith(OF_D1));
      const headers = given.map(([name, value]) => [name.slice(OF_D1.length), value]);
      const { method, body } = request;
      return env.DB.fetcher.fetch(request.headers.get("MF-URL"), { method, headers, body });
    },
  };`;

/** The same, counting statements and rows: a batch is a list. Its own path returns the counts. */
const COUNTING_DATABASE = `
  const OF_D1 = "mf-header-";
  const counts = { statements: 0, trips: 0, rowsRead: 0, rowsWritten: 0 };
  const count = (asked, said) => {
    counts.statements += [asked].flat().length;
    counts.trips++;
    for (const { meta } of [said].flat()) {
      counts.rowsRead += meta?.rows_read ?? 0;
      counts.rowsWritten += meta?.rows_written ?? 0;
    }
  };
  export default {
    async fetch(request, env) {
      if (new URL(request.url).pathname === "/asked") return Response.json(counts);
      const given = [...request.headers].filter(([name]) => name.startsWith(OF_D1));
      const headers = given.map(([name, value]) => [name.slice(OF_D1.length), value]);
      const { method } = request;
      const body = await request.text();
      const answer = await env.DB.fetcher.fetch(request.headers.get("MF-URL"), { method, headers, body });
      const text = await answer.text();
      count(JSON.parse(body), JSON.parse(text));
      return new Response(text, answer);
    },
  };`;

/** Returns stored PUT bodies, or hello. */
const BARE = `
  const hello = { body: "hello", headers: new Headers({ "Content-Type": "text/html" }) };
  const answers = new Map();
  const answer = (path) => {
    const { body, headers } = answers.get(path) ?? hello;
    return new Response(body, { headers });
  };
  async function take(request, path) {
    const headers = new Headers(JSON.parse(request.headers.get("Answer-Headers")));
    answers.set(path, { body: await request.arrayBuffer(), headers });
    return new Response(null, { status: 204 });
  }
  async function fromStore(request, path) {
    const found = await caches.default.match(request.url);
    if (found) return found;
    const made = answer(path.slice("/store".length));
    made.headers.set("Cache-Control", "public, max-age=3600");
    await caches.default.put(request.url, made.clone());
    return made;
  }
  async function fromR2(request, path, env) {
    const object = await env.MEDIA.get(path.slice("/media/".length), { range: request.headers });
    const { offset, length } = object.range;
    const range = "bytes " + offset + "-" + (offset + length - 1) + "/" + object.size;
    return new Response(object.body, { status: 206, headers: { "Content-Range": range } });
  }
  export default {
    fetch(request, env) {
      const path = new URL(request.url).pathname;
      if (request.method === "PUT") return take(request, path);
      if (path.startsWith("/store/")) return fromStore(request, path);
      if (path.startsWith("/media/")) return fromR2(request, path, env);
      return answer(path);
    },
  };`;
