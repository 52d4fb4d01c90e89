import { eq } from "drizzle-orm";
import { changed } from "#worker/platform/changes.ts";
import { requireCapability, type Context } from "#worker/platform/context.ts";
import { prepared } from "#worker/platform/prepared.ts";
import { Site, siteDefaults } from "#worker/settings/contract.ts";
import { settings } from "#worker/settings/table.ts";

const selectSite = prepared([], (db) =>
  db.select({ site: settings.site }).from(settings).where(eq(settings.id, 1)),
);

/** What was never said has its default. */
export async function readSite(ctx: Context): Promise<Site> {
  ctx.dependsOn("site");
  const [row] = await selectSite(ctx, {});
  return { ...siteDefaults, ...row?.site };
}

/** Changes what is named and keeps the rest. */
export async function saveSite(ctx: Context, change: Partial<Site>) {
  requireCapability("settings", ctx);
  const site = Site.parse({ ...(await readSite(ctx)), ...change });
  const save = ctx.db
    .insert(settings)
    .values({ id: 1, site, updatedAt: ctx.now })
    .onConflictDoUpdate({ target: settings.id, set: { site, updatedAt: ctx.now } });
  await ctx.db.batch([save, changed(ctx, "site")]);
}
