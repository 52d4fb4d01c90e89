import { existsSync, rmSync } from "node:fs";
import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from "miniflare";
import { builtModules, builtOptions } from "../../scripts/built-worker.ts";
import { DAILY, MINUTE } from "../../scripts/local.ts";
import { preparedState } from "../../scripts/prepared-state.ts";

const NAME = "rostrum";
const HOST = "127.0.0.1";
/** Where Linux keeps files in memory; elsewhere the local stand-ins for D1 and the Cache API wait for the disk. */
const IN_MEMORY = "/dev/shm";

type Options = {
  /** 0 for a free port, which the Worker does not know. */
  port?: number;
  /** Whether static assets are served, as the platform does before it asks the Worker. */
  hasAssets?: boolean;
  vars?: Record<string, string>;
  /** The storage of a site before; otherwise a new one with the demo. */
  state?: string;
  log: (entry: { level: string; message: string }) => void;
};

/**
 * The built Worker with the demo in a workerd of its own, reached over a plain socket: the proxies of dev servers would
 * hide what the Worker itself answers, and take time.
 */
export async function startBuiltSite({ port = 0, hasAssets = false, vars = {}, state: given, log }: Options) {
  const state = given ?? (await newState());
  const remove = () => rmSync(state, { recursive: true, force: true, maxRetries: 5 });
  process.once("exit", remove);
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
  const worker = (await miniflare.getWorker()) as unknown as Scheduled;
  const tick = async (crons = [MINUTE, DAILY]) => {
    for (const cron of crons) await worker.scheduled({ cron, scheduledTime: new Date() });
  };
  return {
    url: (await miniflare.unsafeGetDirectURL(NAME)).origin,
    env: await miniflare.getBindings<Env>(),
    inspector: await miniflare.getInspectorURL(),
    state,
    /** Fires crons as the platform does. */
    tick,
    /** `keepState`: for a site that is restarted with the same storage. */
    async stop({ keepState = false } = {}) {
      process.off("exit", remove);
      await miniflare.dispose();
      if (!keepState) remove();
    },
  };
}

async function newState() {
  const state = await mkdtemp(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), "rostrum-site-"));
  await cp(await preparedState(), state, { recursive: true });
  return state;
}

/** What Miniflare's own types lose of a Worker. */
type Scheduled = { scheduled: (options: { cron: string; scheduledTime: Date }) => Promise<unknown> };
