import { sql } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
import { router } from "#worker/platform/http/router.ts";
import { logError } from "#worker/platform/log.ts";
import { within } from "#worker/platform/time/within.ts";

/** Milliseconds before a check counts as failed. */
const PATIENCE = 3000;
/** A key that is never written: its absence is a valid answer. */
const NOTHING = "health";

export type Health = { ok: boolean; version: string; checks: Record<"d1" | "kv" | "r2" | "queues", boolean> };

/** `readMore`: what else the signed-in user may see; its failure is logged and left out. */
export const healthApi = (readMore: (ctx: Context) => Promise<object | null>) =>
  router().get("/", async (c) => {
    const { ctx } = c.var;
    const health = await checkHealth(ctx, c.env.JOBS);
    const more = await within(PATIENCE, "the rest", readMore(ctx)).catch((error: unknown) =>
      logError("health", error),
    );
    // Without D1 nothing works; without the others the site is only degraded.
    return c.json({ ...health, ...more }, health.checks.d1 ? 200 : 503);
  });

/** Makes a small request to each platform service. The queue is asked for its metrics. */
export async function checkHealth(
  { db, kv, media, config }: Pick<Context, "db" | "kv" | "media" | "config">,
  queue: Pick<Queue, "metrics">,
  patience = PATIENCE,
): Promise<Health> {
  const [d1, kvs, r2, queues] = await Promise.all([
    answers("d1", patience, () => db.get(sql`select 1`)),
    answers("kv", patience, () => kv.get(NOTHING)),
    answers("r2", patience, () => media.head(NOTHING)),
    answers("queues", patience, () => queue.metrics()),
  ]);
  const checks = { d1, kv: kvs, r2, queues };
  return { ok: Object.values(checks).every(Boolean), version: config.version, checks };
}

async function answers(part: string, patience: number, ask: () => Promise<unknown>) {
  try {
    await within(patience, part, ask());
    return true;
  } catch (error) {
    logError(`health: ${part}`, error);
    return false;
  }
}
