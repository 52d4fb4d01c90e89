import { isAllowed } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { readSite } from "#worker/settings/queries.ts";

/** The allowed frame hosts, and whether the user may change them. */
export async function readFrameHosts(ctx: Context) {
  const { frameHosts } = await readSite(ctx);
  return { frameHosts, maySet: isAllowed("settings", ctx) };
}

export type Frames = Awaited<ReturnType<typeof readFrameHosts>>;
