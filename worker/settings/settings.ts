import { eq } from "drizzle-orm";
import { requireCapability, type Context } from "#worker/platform/context.ts";
import type { Site } from "#worker/settings/contract.ts";
import { settings } from "#worker/settings/table.ts";

/** What a site shows before its owner has said anything. */
const unnamed: Site = { name: "Rostrum", description: "", social: {}, platforms: {} };

export async function readSite({ db }: Context): Promise<Site> {
  const [row] = await db.select({ site: settings.site }).from(settings).where(eq(settings.id, 1));
  return row?.site ?? unnamed;
}

export async function saveSite(ctx: Context, site: Site) {
  requireCapability("settings", ctx);
  await ctx.db
    .insert(settings)
    .values({ id: 1, site, updatedAt: ctx.now })
    .onConflictDoUpdate({ target: settings.id, set: { site, updatedAt: ctx.now } });
}
