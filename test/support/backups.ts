import { env } from "cloudflare:workers";
import { desc } from "drizzle-orm";
import { continueBackups } from "#worker/backups/commands.ts";
import { Manifest } from "#worker/backups/contract.ts";
import { filesOf } from "#worker/backups/listed-files.ts";
import { copiesAmong, listCopyObjects, manifestKey, partKey } from "#worker/backups/store.ts";
import { backupRuns } from "#worker/backups/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { CLAIM_MS } from "#worker/platform/work/leases.ts";
import { jobContext } from "./client.ts";

const MINUTE = 60_000;
let now = Date.parse("2026-11-29T03:17:00Z");

/** A queue that delivers nothing: each test works on its run alone. */
const silent = { send: async () => {}, sendBatch: async () => {} } as unknown as Context["jobs"];

/** A job's context at a time that no earlier one has; `minutes` after the last. */
export function nextTick(minutes = 1, options: Partial<Context> = {}) {
  now += minutes * MINUTE;
  return jobContext({ now: new Date(now), jobs: silent, ...options });
}

/** After the claim of an interrupted consumer. */
export const afterLapse = (options?: Partial<Context>) => nextTick(CLAIM_MS / MINUTE + 1, options);

export const newestRun = async () => {
  const [run] = await jobContext().db.select().from(backupRuns).orderBy(desc(backupRuns.id)).limit(1);
  return run!;
};

/** Works on the open run until it is finished. Returns it. */
export async function workThroughRun(options: Partial<Context> = {}) {
  for (let ticks = 0; ticks < 2000; ticks++) {
    await continueBackups(nextTick(20, options));
    const run = await newestRun();
    if (run.state === "done" || run.state === "failed") return run;
  }
  throw new Error("The run does not end.");
}

const textOf = async (key: string) => (await env.BACKUP.get(key))!.text();

/** The newest complete copy. */
export async function newestCopy() {
  const name = copiesAmong(await listCopyObjects(env.BACKUP)).at(-1)!.name;
  return {
    name,
    manifest: Manifest.parse(JSON.parse(await textOf(manifestKey(name)))),
    sql: await textOf(partKey(name, "database.sql")),
    files: filesOf(await textOf(partKey(name, "files.ndjson"))),
  };
}

/** Bytes that differ from one position to the next. */
export function someBytes(length: number, seed = 1) {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at++) bytes[at] = at * 31 + seed + (at >> 8);
  return bytes;
}

/** The bucket with upload times of its own, by a clock that the test moves. */
export function timedBucket(clock: () => Date) {
  const times = new Map<string, Date>();
  const timed = <Found extends R2Object | null>(object: Found): Found =>
    object &&
    new Proxy(object, {
      get(target, name) {
        if (name === "uploaded") return times.get(target.key) ?? clock();
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? (value as () => unknown).bind(target) : value;
      },
    });
  const bucket = {
    put: async (key: string, value: string) => {
      times.set(key, clock());
      return env.BACKUP.put(key, value);
    },
    get: (key: string) => env.BACKUP.get(key),
    head: async (key: string) => timed(await env.BACKUP.head(key)),
    list: async (options: R2ListOptions) => {
      const page = await env.BACKUP.list(options);
      return { ...page, objects: page.objects.map(timed) };
    },
    delete: (keys: string | string[]) => env.BACKUP.delete(keys),
  };
  return bucket as unknown as R2Bucket;
}
