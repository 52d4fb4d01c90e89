import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "#worker/platform/context.ts";
import type { NewEngagement } from "#worker/speaking/contract.ts";
import { createEngagement } from "#worker/speaking/commands.ts";
import { listUpcomingEngagements } from "#worker/speaking/queries.ts";

/** Speaking engagements; skips those that an interrupted load has already created. */
export async function loadEngagements(ctx: Context) {
  const text = readFileSync(join(import.meta.dirname, "engagements.json"), "utf8");
  const loaded = new Set((await listUpcomingEngagements(ctx)).map(({ title }) => title));
  for (const engagement of JSON.parse(text) as NewEngagement[])
    if (!loaded.has(engagement.title)) await createEngagement(ctx, engagement);
}
