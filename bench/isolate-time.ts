import { openInspector } from "../test/load/inspector.ts";

/** Microseconds between two samples. */
const INTERVAL = 100;
/** Microseconds that a sample counts at most: a longer one was interrupted by other work of the machine. */
const LONGEST = 160;
/** What V8 calls a sample while the isolate waits, and while workerd works outside of it, on sockets for example. */
const OUTSIDE = ["(idle)", "(program)"];

export type Sample = { frame: CallFrame; microseconds: number };
export type CallFrame = { functionName: string; url: string; lineNumber: number; columnNumber: number };
export type Measured<Result> = { ms: number; result: Result; samples: Sample[] };
type Profile = {
  nodes: { id: number; callFrame: CallFrame }[];
  samples: number[];
  /** Microseconds of the monotonic clock, which is also that of `process.hrtime`. */
  startTime: number;
  /** Microseconds since the sample before. */
  timeDeltas: number[];
};

/**
 * Measures a Worker by the samples of V8's profiler: its JavaScript, what that calls in V8 and workerd, and the collection
 * of garbage. Cloudflare counts the time of the isolate, too; the process has sockets and the local stand-ins as well.
 * @param wake requests something small of the Worker
 */
export async function openIsolateTimer(inspector: URL, wake: () => Promise<unknown>) {
  const { call, close } = await openInspector(inspector, wake);
  await call("Profiler.enable");
  await call("Profiler.setSamplingInterval", { interval: INTERVAL });

  /** Runs one after another. */
  async function measure<Result>(runs: (() => Promise<Result>)[]): Promise<Measured<Result>[]> {
    await call("Profiler.start");
    const done: { from: number; until: number; result: Result }[] = [];
    for (const run of runs) {
      const from = now();
      const result = await run();
      done.push({ from, until: now(), result });
    }
    const { profile } = await call<{ profile: Profile }>("Profiler.stop");
    const taken = samplesOf(profile);
    return done.map(({ from, until, result }) => {
      const samples = taken.filter(({ at }) => at > from && at <= until);
      return { ms: samples.reduce((sum, { microseconds }) => sum + microseconds, 0) / 1000, result, samples };
    });
  }
  return { measure, close };
}

export type IsolateTimer = Awaited<ReturnType<typeof openIsolateTimer>>;

const now = () => Number(process.hrtime.bigint()) / 1000;

/** Those within the isolate. */
function samplesOf({ nodes, samples, startTime, timeDeltas }: Profile) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const taken: (Sample & { at: number })[] = [];
  let at = startTime;
  for (const [index, node] of samples.entries()) {
    const delta = timeDeltas[index]!;
    at += delta;
    const frame = frames.get(node)!;
    if (!OUTSIDE.includes(frame.functionName))
      taken.push({ frame, microseconds: Math.min(delta, LONGEST), at });
  }
  return taken;
}
