import { eq } from "drizzle-orm";
import { cronRuns } from "#worker/system/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** Notes that a cron has begun: Settings → System shows when the last one did. */
export const noteCronRun = ({ db, now }: Context, cron: string) =>
  db
    .insert(cronRuns)
    .values({ cron, at: now })
    .onConflictDoUpdate({ target: cronRuns.cron, set: { at: now } });

/** In place of a cron: the night whose work a restore has held back. */
const HELD_NIGHT = "held night";

export const noteHeldNight = ({ db, now }: Context) =>
  db.insert(cronRuns).values({ cron: HELD_NIGHT, at: now }).onConflictDoNothing();

/** Whether a night was held back since this was last asked. */
export async function takeHeldNight({ db }: Context) {
  const taken = await db.delete(cronRuns).where(eq(cronRuns.cron, HELD_NIGHT)).returning();
  return taken.length > 0;
}
