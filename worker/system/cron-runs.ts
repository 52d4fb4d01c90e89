import { cronRuns } from "#worker/system/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** Notes that a cron has begun: Settings → System shows when the last one did. */
export const noteCronRun = ({ db, now }: Context, cron: string) =>
  db
    .insert(cronRuns)
    .values({ cron, at: now })
    .onConflictDoUpdate({ target: cronRuns.cron, set: { at: now } });
