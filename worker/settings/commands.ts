import { changed } from "#worker/platform/changes.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/input.ts";
import { SiteChange, type Site } from "#worker/settings/contract.ts";
import { readSite } from "#worker/settings/queries.ts";
import { settings } from "#worker/settings/table.ts";

/**
 * Changes the given fields and keeps the rest.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function updateSite(ctx: Context, input: SiteChange): Promise<Site> {
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
