import { readFileSync } from "node:fs";
import { findWorkerds } from "../../bench/processor.ts";
import { pause } from "./client.ts";
import type { LoadSite } from "./site.ts";

const MB = 1024 * 1024;

export type Memory = {
  /** Megabytes that the whole process holds, the local stand-ins for D1, R2 and the rest included; NaN without /proc. */
  process: number;
  /** Megabytes on the heap of the site's own isolate, and in the buffers that it holds. */
  isolate: number;
};

/** Reads workerd's memory by /proc, and the isolate's by its inspector, after a collection of garbage. */
export async function readMemory(site: LoadSite): Promise<Memory> {
  return { process: residentMB(), isolate: await heapMB(site) };
}

/** Of all workerds of this process. */
export function residentMB() {
  const workerds = findWorkerds();
  if (workerds.length === 0) return Number.NaN;
  const pages = workerds.map(
    (id) => /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1],
  );
  return pages.reduce((sum, kB) => sum + Number(kB ?? 0) / 1024, 0);
}

type HeapUsage = { usedSize: number; embedderHeapUsedSize?: number; backingStorageSize?: number };

/** https://chromedevtools.github.io/devtools-protocol/v8/Runtime/#method-getHeapUsage */
async function heapMB({ url, inspector }: LoadSite) {
  const socket = new WebSocket(new URL("/core:user:rostrum", inspector));
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", () => reject(new Error("The inspector did not answer.")), {
      once: true,
    });
  });
  try {
    await whileRunning(url, call(socket, 1, "HeapProfiler.collectGarbage"));
    const usage = await whileRunning(url, call(socket, 2, "Runtime.getHeapUsage"));
    const { usedSize, backingStorageSize = 0 } = usage as HeapUsage;
    return (usedSize + backingStorageSize) / MB;
  } finally {
    socket.close();
  }
}

/** workerd answers its inspector when the isolate runs: so it is asked for a page until then, ten seconds at most. */
async function whileRunning<T>(url: string, answer: Promise<T>): Promise<T> {
  for (let tries = 0; tries < 100; tries++) {
    await (await fetch(`${url}/about`, { signal: AbortSignal.timeout(10_000) })).arrayBuffer();
    const isDone = await Promise.race([answer.then(() => true), pause(100).then(() => false)]);
    if (isDone) return answer;
  }
  throw new Error("The inspector did not answer.");
}

function call(socket: WebSocket, id: number, method: string) {
  return new Promise<unknown>((resolve, reject) => {
    const listen = ({ data }: MessageEvent<string>) => {
      const answer = JSON.parse(data) as { id?: number; result?: unknown; error?: { message: string } };
      if (answer.id !== id) return;
      socket.removeEventListener("message", listen);
      if (answer.error) reject(new Error(answer.error.message));
      else resolve(answer.result);
    };
    socket.addEventListener("message", listen);
    socket.send(JSON.stringify({ id, method }));
  });
}
