import { eq, sql } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
import { prepared } from "#worker/platform/prepared.ts";
import { siteDefaults, type Site } from "#worker/settings/contract.ts";
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

/** The mailbox that the site's emails come from: `MAIL_FROM`, under the site's name. */
export async function readSender(ctx: Context) {
  const { name } = await readSite(ctx);
  return { address: ctx.config.mailFrom, name };
}
