import { eq, sql } from "drizzle-orm";
import { changed } from "#worker/platform/changes.ts";
import { requireCapability, type Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/input.ts";
import { prepared } from "#worker/platform/prepared.ts";
import { SiteChange, siteDefaults, type Site } from "#worker/settings/contract.ts";
import { settings } from "#worker/settings/table.ts";

const selectSite = prepared([], (db) =>
  db.select({ site: settings.site }).from(settings).where(eq(settings.id, 1)),
);

/** SQL: when the settings were last changed, in milliseconds UTC; null until then. */
export const siteUpdatedAt = sql`(select ${settings.updatedAt} from ${settings} where ${settings.id} = 1)`;

/** The site's settings; a field that was never set has its default. */
export async function readSite(ctx: Context): Promise<Site> {
  ctx.dependsOn("site");
  const [row] = await selectSite(ctx, {});
  return { ...siteDefaults, ...row?.site };
}

/**
 * Changes the given fields and keeps the rest.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function saveSite(ctx: Context, input: SiteChange): Promise<Site> {
  requireCapability("settings", ctx);
  const change = parseInput(SiteChange, input);
  const site = { ...(await readSite(ctx)), ...change };
  const save = ctx.db
    .insert(settings)
    .values({ id: 1, site, updatedAt: ctx.now })
    .onConflictDoUpdate({ target: settings.id, set: { site, updatedAt: ctx.now } });
  await ctx.db.batch([save, changed(ctx, "site")]);
  return site;
}
