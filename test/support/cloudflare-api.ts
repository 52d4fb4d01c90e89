import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { startHttpServer } from "./http-server.ts";

export const ACCOUNT_ID = "a".repeat(32);

/** Of a list of queues; nothing here asks for a second page. */
export const PER_PAGE = 20;

type Handler = (match: RegExpExecArray, body: string, query: URLSearchParams) => unknown;

/** An error of the API, with its code. */
class ApiError extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Methods of Node's SQLite that its types lack. */
type Copied = { serialize: () => Uint8Array; deserialize: (copy: Uint8Array) => void };
const copyable = (sqlite: DatabaseSync) => sqlite as unknown as Copied;

/**
 * The part of Cloudflare's API that wrangler uses to deploy this site, on a local port. It stores what is created, runs
 * D1's statements in SQLite, and refuses what the real one refuses: a name that is taken, and a Worker whose queues or
 * database are missing.
 */
export async function startCloudflareApi() {
  const state = {
    accounts: [{ id: ACCOUNT_ID, name: "The owner's account" }],
    subdomain: "owner",
    databases: new Map<string, { name: string; sqlite: DatabaseSync }>(),
    /** By bookmark, the whole database at that time. */
    bookmarks: new Map<string, Uint8Array>(),
    namespaces: new Map<string, string>(),
    buckets: new Set<string>(),
    /** The rules of each bucket's lock. */
    locks: new Map<string, unknown[]>(),
    queues: new Map<string, { id: string; consumers: string[] }>(),
    domains: [] as string[],
    /** Of the Worker, by name. */
    secrets: [] as { name: string; type: "secret_text" }[],
    crons: [] as string[],
    /** The Worker's metadata as last uploaded. */
    worker: undefined as { bindings: Record<string, unknown>[]; observability?: object } | undefined,
    uploads: 0,
    /** The ids of versions. */
    uploaded: new Set<string>(),
    /** Those that were made live, the newest first. */
    versions: [] as string[],
    /** Answers to `METHOD path` with an error, once or until it is deleted. */
    failures: new Map<string, string>(),
    requests: [] as string[],
    unknown: [] as string[],
  };
  const inAccount = (path: string) => new RegExp(`^/accounts/${ACCOUNT_ID}${path}$`);
  const script = inAccount("/workers/scripts/rostrum");

  const bindings = (form: string) => {
    const [, json = "{}"] = /name="metadata"[^\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n(\{.*\})\r?\n/.exec(form) ?? [];
    return JSON.parse(json) as NonNullable<typeof state.worker>;
  };

  const upload = (form: string) => {
    const worker = bindings(form);
    for (const binding of worker.bindings) {
      if (binding["type"] === "queue" && !state.queues.has(String(binding["queue_name"]))) {
        throw new ApiError(400, 100_100, `Queue ${String(binding["queue_name"])} does not exist`);
      }
      if (binding["type"] === "d1" && !state.databases.has(String(binding["id"]))) {
        throw new ApiError(400, 10_021, "binding DB of type d1 must have a valid `id` specified");
      }
      if (binding["type"] === "kv_namespace" && !state.namespaces.has(String(binding["namespace_id"]))) {
        throw new ApiError(400, 10_041, "KV namespace not found");
      }
      if (binding["type"] === "r2_bucket" && !state.buckets.has(String(binding["bucket_name"]))) {
        throw new ApiError(400, 10_085, "R2 bucket not found");
      }
    }
    state.worker = worker;
    state.uploads++;
    const id = randomUUID();
    state.uploaded.add(id);
    return { id, deployment_id: id, startup_time_ms: 20, etag: "e", resources: { script: { etag: "e" } } };
  };

  const deployed = <T>(value: T) => {
    if (state.worker) return value;
    throw new ApiError(404, 10_007, "This Worker does not exist on your account.");
  };

  const databaseOf = (idOrName: string) => {
    const found = [...state.databases].find(([id, { name }]) => id === idOrName || name === idOrName);
    if (!found) throw new ApiError(404, 7404, "The database was not found");
    return { uuid: found[0], ...found[1] };
  };

  const bookmarkOf = (sqlite: DatabaseSync) => {
    const bookmark = randomUUID();
    state.bookmarks.set(bookmark, copyable(sqlite).serialize());
    return bookmark;
  };

  const deploymentOf = (version: string) => ({
    id: `deployment-${version}`,
    created_on: new Date().toISOString(),
    source: "wrangler",
    author_email: "owner@owner.net",
    versions: [{ version_id: version, percentage: 100 }],
  });

  const makeLive = (version: string) => {
    if (!state.uploaded.has(version)) throw new ApiError(404, 10_007, "This version does not exist.");
    if (state.versions[0] !== version) state.versions.unshift(version);
    return deploymentOf(version);
  };

  const taken = (isTaken: boolean, code: number) => {
    if (isTaken) throw new ApiError(400, code, "That name is already taken");
  };

  const queueOf = (name: string) => {
    const { id, consumers } = state.queues.get(name)!;
    const rows = consumers.map((worker) => ({
      consumer_id: id,
      script: worker,
      type: "worker",
      settings: {},
    }));
    return {
      queue_id: id,
      queue_name: name,
      producers: [],
      consumers: rows,
      producers_total_count: 0,
      consumers_total_count: rows.length,
      settings: {},
    };
  };

  const queueById = (id: string) => [...state.queues].find(([, queue]) => queue.id === id)!;

  const routes: [string, RegExp, Handler][] = [
    ["GET", /^\/user$/, () => ({ id: "u", email: "owner@owner.net" })],
    ["GET", /^\/user\/tokens\/verify$/, () => ({ id: "t", status: "active" })],
    ["GET", /^\/memberships$/, () => state.accounts.map((account) => ({ id: account.id, account }))],
    ["GET", /^\/accounts$/, () => state.accounts],

    [
      "GET",
      inAccount("/d1/database"),
      () => [...state.databases].map(([uuid, { name }]) => ({ uuid, name })),
    ],
    [
      "POST",
      inAccount("/d1/database"),
      (_, body) => {
        const { name } = JSON.parse(body) as { name: string };
        taken(
          [...state.databases.values()].some((database) => database.name === name),
          7502,
        );
        const uuid = randomUUID();
        state.databases.set(uuid, { name, sqlite: new DatabaseSync(":memory:") });
        return { uuid, name };
      },
    ],
    [
      "GET",
      inAccount("/d1/database/([^/]+)"),
      ([, id]) => {
        const { uuid, name } = databaseOf(decodeURIComponent(id!));
        return { uuid, name };
      },
    ],
    [
      "POST",
      inAccount("/d1/database/([^/]+)/query"),
      ([, id], body) => {
        const { sql } = JSON.parse(body) as { sql: string };
        return [{ results: execute(databaseOf(id!).sqlite, sql), success: true, meta: { duration: 0 } }];
      },
    ],

    [
      "GET",
      inAccount("/d1/database/([^/]+)/time_travel/bookmark"),
      ([, id]) => ({ bookmark: bookmarkOf(databaseOf(id!).sqlite) }),
    ],
    [
      "POST",
      inAccount("/d1/database/([^/]+)/time_travel/restore"),
      ([, id], _, query) => {
        const { uuid, name, sqlite } = databaseOf(id!);
        const stored = state.bookmarks.get(query.get("bookmark")!);
        if (!stored) throw new ApiError(400, 7500, "The bookmark is not valid");
        const previous = bookmarkOf(sqlite);
        const restored = new DatabaseSync(":memory:");
        copyable(restored).deserialize(stored);
        state.databases.set(uuid, { name, sqlite: restored });
        return { bookmark: query.get("bookmark"), previous_bookmark: previous, message: "restored" };
      },
    ],

    [
      "GET",
      inAccount("/storage/kv/namespaces"),
      () => [...state.namespaces].map(([id, title]) => ({ id, title })),
    ],
    [
      "POST",
      inAccount("/storage/kv/namespaces"),
      (_, body) => {
        const { title } = JSON.parse(body) as { title: string };
        taken([...state.namespaces.values()].includes(title), 10_014);
        const id = randomUUID().replaceAll("-", "");
        state.namespaces.set(id, title);
        return { id, title };
      },
    ],

    [
      "GET",
      inAccount("/r2/buckets/([^/]+)"),
      ([, name]) => {
        if (!state.buckets.has(name!))
          throw new ApiError(404, 10_006, "The specified bucket does not exist.");
        return { name };
      },
    ],
    ["GET", inAccount("/r2/buckets/([^/]+)/lock"), ([, name]) => ({ rules: state.locks.get(name!) ?? [] })],
    [
      "PUT",
      inAccount("/r2/buckets/([^/]+)/lock"),
      ([, name], body) => {
        state.locks.set(name!, (JSON.parse(body) as { rules: unknown[] }).rules);
        return {};
      },
    ],
    ["GET", inAccount("/r2/buckets"), () => ({ buckets: [...state.buckets].map((name) => ({ name })) })],
    [
      "POST",
      inAccount("/r2/buckets"),
      (_, body) => {
        const { name } = JSON.parse(body) as { name: string };
        taken(state.buckets.has(name), 10_004);
        state.buckets.add(name);
        return { name };
      },
    ],

    [
      "GET",
      inAccount("/queues"),
      (_, __, query) =>
        [...state.queues.keys()]
          .filter((name) => (query.get("name") ?? name) === name)
          .slice(0, PER_PAGE)
          .map(queueOf),
    ],
    [
      "POST",
      inAccount("/queues"),
      (_, body) => {
        const { queue_name: name } = JSON.parse(body) as { queue_name: string };
        taken(state.queues.has(name), 11_009);
        state.queues.set(name, { id: randomUUID().replaceAll("-", ""), consumers: [] });
        return queueOf(name);
      },
    ],
    ["GET", inAccount("/queues/([^/]+)"), ([, id]) => queueOf(queueById(id!)[0])],
    ["GET", inAccount("/queues/([^/]+)/consumers"), ([, id]) => queueOf(queueById(id!)[0]).consumers],
    [
      "POST",
      inAccount("/queues/([^/]+)/consumers"),
      ([, id], body) => {
        const { script_name: name } = JSON.parse(body) as { script_name: string };
        queueById(id!)[1].consumers.push(name);
        return {};
      },
    ],
    ["PUT", inAccount("/queues/([^/]+)/consumers/[^/]+"), () => ({})],

    [
      "GET",
      inAccount("/workers/services/rostrum"),
      () =>
        deployed({
          default_environment: {
            environment: "production",
            script: { last_deployed_from: "wrangler", tags: [] },
          },
        }),
    ],
    ["GET", inAccount("/workers/services/rostrum/environments/production"), () => deployed({ script: {} })],
    [
      "GET",
      inAccount("/workers/workers/rostrum"),
      () => deployed({ id: "rostrum", name: "rostrum", subdomain: { enabled: false } }),
    ],
    ["GET", inAccount("/workers/scripts"), () => (state.worker ? [{ id: "rostrum" }] : [])],
    [
      "GET",
      inAccount("/workers/scripts/rostrum/settings"),
      () => deployed({ bindings: state.worker?.bindings }),
    ],
    ["GET", inAccount("/workers/scripts/rostrum/secrets"), () => deployed(state.secrets)],
    ["PATCH", inAccount("/workers/scripts/rostrum/script-settings"), () => ({})],
    [
      "POST",
      inAccount("/workers/scripts/rostrum/assets-upload-session"),
      () => ({ jwt: "jwt", buckets: [] }),
    ],
    [
      "PUT",
      script,
      (_, body) => {
        const version = upload(body);
        makeLive(version.id);
        return version;
      },
    ],
    ["POST", inAccount("/workers/scripts/rostrum/versions"), (_, body) => upload(body)],
    [
      "GET",
      inAccount("/workers/scripts/rostrum/versions/([^/]+)"),
      ([, id]) => ({
        id,
        number: 1,
        metadata: {
          created_on: new Date().toISOString(),
          author_email: "owner@owner.net",
          source: "wrangler",
        },
        annotations: {},
        resources: { bindings: [], script: {}, script_runtime: {} },
      }),
    ],
    [
      "GET",
      inAccount("/workers/scripts/rostrum/deployments"),
      () => deployed({ deployments: state.versions.map(deploymentOf) }),
    ],
    [
      "POST",
      inAccount("/workers/scripts/rostrum/deployments"),
      (_, body) => {
        const { versions } = JSON.parse(body) as { versions: { version_id: string }[] };
        return deployed(makeLive(versions[0]!.version_id));
      },
    ],
    [
      "GET",
      inAccount("/workers/scripts/rostrum/subdomain"),
      () => ({ enabled: true, previews_enabled: false }),
    ],
    [
      "POST",
      inAccount("/workers/scripts/rostrum/subdomain"),
      () => ({ enabled: true, previews_enabled: false }),
    ],
    ["GET", inAccount("/workers/subdomain"), () => ({ subdomain: state.subdomain })],
    [
      "PUT",
      inAccount("/workers/scripts/rostrum/schedules"),
      (_, body) => {
        state.crons = (JSON.parse(body) as { cron: string }[]).map(({ cron }) => cron);
        return {};
      },
    ],
    [
      "POST",
      inAccount("/workers/scripts/rostrum/domains/changeset"),
      () => ({ added: [], removed: [], updated: [], conflicting: [] }),
    ],
    [
      "PUT",
      inAccount("/workers/scripts/rostrum/domains/records"),
      (_, body) => {
        const { origins } = JSON.parse(body) as { origins: { hostname: string }[] };
        state.domains = origins.map(({ hostname }) => hostname);
        return origins;
      },
    ],
  ];

  function answer(method: string, url: URL, body: string) {
    const failure = state.failures.get(`${method} ${url.pathname}`);
    if (failure) throw new ApiError(400, 10_000, failure);
    for (const [routeMethod, path, handle] of routes) {
      const match = routeMethod === method && path.exec(url.pathname);
      if (match) return handle(match, body, url.searchParams);
    }
    state.unknown.push(`${method} ${url.pathname}`);
    throw new ApiError(404, 7003, `No route for ${method} ${url.pathname}`);
  }

  const { port, stop } = await startHttpServer((request, response) => {
    void readBody(request).then((body) => {
      const method = request.method ?? "GET";
      const url = new URL(request.url ?? "/", "http://localhost");
      state.requests.push(`${method} ${url.pathname}`);
      const send = (status: number, envelope: object) =>
        response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(envelope));
      try {
        const found = answer(method, url, body);
        // Nothing here fills a second page.
        const result = Array.isArray(found) && Number(url.searchParams.get("page") ?? 1) > 1 ? [] : found;
        const result_info = { page: 1, per_page: 100, count: 1, total_count: 1, total_pages: 1 };
        send(200, { success: true, result, errors: [], messages: [], result_info });
      } catch (error) {
        const { status, code, message } =
          error instanceof ApiError ? error : new ApiError(400, 7500, String(error));
        send(status, { success: false, result: null, errors: [{ code, message }], messages: [] });
      }
    });
  });
  return { state, url: `http://127.0.0.1:${port}`, stop };
}

async function readBody(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** The rows of a single read; of anything else, none, once all of it has run or none. */
function execute(sqlite: DatabaseSync, sql: string) {
  if (/^\s*(select|pragma)/i.test(sql)) return sqlite.prepare(sql).all();
  sqlite.exec("begin");
  try {
    sqlite.exec(sql);
    sqlite.exec("commit");
  } catch (error) {
    sqlite.exec("rollback");
    throw error;
  }
  return [];
}
