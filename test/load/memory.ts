import { readFileSync } from "node:fs";
import { findWorkerds } from "../../bench/processor.ts";
import { openInspector } from "./inspector.ts";
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
  return { process: residentMB(), isolate: (await readHeap(site)).collected };
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

/** Megabytes on the heap of the isolate and in its buffers: as it is, and after a collection of garbage. */
export async function readHeap({ url, inspector }: Pick<LoadSite, "url" | "inspector">) {
  const about = async () =>
    (await fetch(`${url}/about`, { signal: AbortSignal.timeout(10_000) })).arrayBuffer();
  const { call, close } = await openInspector(new URL("/core:user:rostrum", inspector), about);
  const usedMB = async () => {
    const { usedSize, backingStorageSize = 0 } = await call<HeapUsage>("Runtime.getHeapUsage");
    return (usedSize + backingStorageSize) / MB;
  };
  try {
    const found = await usedMB();
    await call("HeapProfiler.collectGarbage");
    return { found, collected: await usedMB() };
  } finally {
    close();
  }
}
