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
  /** 0 for a free one, which the Worker is then not told of. */
  port?: number;
  /** Whether static assets are served, as the platform does before it asks the Worker. */
  hasAssets?: boolean;
  vars?: Record<string, string>;
  log: (entry: { level: string; message: string }) => void;
};

/**
 * The built Worker with the demo in a workerd of its own, reached over a plain socket: the proxies of dev servers would
 * hide what the Worker itself answers, and take time.
 */
export async function startBuiltSite({ port = 0, hasAssets = false, vars = {}, log }: Options) {
  const state = await mkdtemp(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), "rostrum-site-"));
  const remove = () => rmSync(state, { recursive: true, force: true, maxRetries: 5 });
  process.once("exit", remove);
  await cp(await preparedState(), state, { recursive: true });
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
    /** Fires crons as the platform does. */
    tick,
    async stop() {
      await miniflare.dispose();
      remove();
      process.off("exit", remove);
    },
  };
}

/** What Miniflare's own types lose of a Worker. */
type Scheduled = { scheduled: (options: { cron: string; scheduledTime: Date }) => Promise<unknown> };
