import { existsSync, rmSync } from "node:fs";
import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBuiltWorker, type BuiltWorker } from "../../scripts/built-worker.ts";
import { DAILY, MINUTE } from "../../scripts/local.ts";
import { preparedState } from "../../scripts/prepared-state.ts";

/** Where Linux keeps files in memory; elsewhere the local stand-ins for D1 and the Cache API wait for the disk. */
const IN_MEMORY = "/dev/shm";

type Options = Omit<BuiltWorker, "state"> & {
  /** The storage of a site before; otherwise a new one with the demo. */
  state?: string;
};

/** The built Worker with the demo. */
export async function startBuiltSite({ state: given, ...options }: Options) {
  const state = given ?? (await newState());
  const remove = () => rmSync(state, { recursive: true, force: true, maxRetries: 5 });
  process.once("exit", remove);
  const { miniflare, url } = await startBuiltWorker({ state, ...options });
  const worker = (await miniflare.getWorker()) as unknown as Scheduled;
  const tick = async (crons = [MINUTE, DAILY]) => {
    for (const cron of crons) await worker.scheduled({ cron, scheduledTime: new Date() });
  };
  return {
    url,
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
