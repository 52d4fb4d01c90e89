import { rmSync } from "node:fs";
import { cp, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { startBuiltWorker, type BuiltWorker } from "../../scripts/built-worker.ts";
import { folderInMemory } from "../../scripts/in-memory.ts";
import { DAILY, MINUTE } from "../../scripts/local.ts";
import { preparedState } from "../../scripts/prepared-state.ts";

type Options = Omit<BuiltWorker, "state"> & {
  /** The storage of a site before; otherwise a new one with the demo. */
  state?: string;
};

/** The built Worker with the demo. */
export async function startBuiltSite({ state: given, ...options }: Options) {
  const state = given ?? (await demoState());
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

/** Storage with the demo. `room`: bytes that it may grow to. */
export async function demoState(room?: number) {
  const state = await emptyState(room);
  await cp(await preparedState(), state, { recursive: true });
  return state;
}

/** Storage without tables. */
export const emptyState = (room?: number) => mkdtemp(join(folderInMemory(room), "rostrum-site-"));

/** What Miniflare's own types lose of a Worker. */
type Scheduled = { scheduled: (options: { cron: string; scheduledTime: Date }) => Promise<unknown> };
