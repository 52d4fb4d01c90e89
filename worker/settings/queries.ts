import { eq, sql } from "drizzle-orm";
import { isAllowed, requireCapability } from "#worker/access/capabilities.ts";
import { mailWayHere } from "#worker/mail/providers.ts";
import { letterWayOf } from "#worker/mail/ways.ts";
import type { Context } from "#worker/platform/context.ts";
import { dayIn } from "#worker/platform/time/day.ts";
import { prepared } from "#worker/platform/data/prepared.ts";
import { siteDefaults, type PreloadState, type Settings, type Site } from "#worker/settings/contract.ts";
import { isOwnSender } from "#worker/settings/sender.ts";
import { settings } from "#worker/settings/table.ts";

const selectSite = prepared([], (db) =>
  db.select({ site: settings.site }).from(settings).where(eq(settings.id, 1)),
);

/** SQL: when the settings were last changed, in milliseconds UTC; null until then. */
export const siteUpdatedAt = sql`(select ${settings.updatedAt} from ${settings} where ${settings.id} = 1)`;

/** SQL: the WebSub hub; empty for none. */
export const hubSetting = sql<string>`coalesce((select json_extract(${settings.site}, '$.hubUrl') from ${settings} where ${settings.id} = 1), '')`;

/** SQL: whether the podcast feed routes its audio through op3.dev. */
export const op3Setting = sql<number>`coalesce((select json_extract(${settings.site}, '$.analytics.op3') from ${settings} where ${settings.id} = 1), 0)`;

/** SQL: the address that enquiries go to; empty for the owner's. */
export const contactSetting = sql<string>`coalesce((select json_extract(${settings.site}, '$.contactEmail') from ${settings} where ${settings.id} = 1), '')`;

/** SQL: the address that answers to emails go to; empty for none. */
export const replyToSetting = sql<string>`coalesce((select json_extract(${settings.site}, '$.email.replyTo') from ${settings} where ${settings.id} = 1), '')`;

/** SQL: the months after which enquiries and comments are deleted, as JSON; null before the first change. */
export const retentionSetting = sql<
  string | null
>`(select json_extract(${settings.site}, '$.retention') from ${settings} where ${settings.id} = 1)`;

/** SQL: the tag manager's container; empty for none. */
export const tagsSetting = sql<string>`coalesce((select json_extract(${settings.site}, '$.tagManager.id') from ${settings} where ${settings.id} = 1), '')`;

/** SQL: whether visitors are asked before it is loaded, 1 or 0. */
export const consentSetting = sql<number>`coalesce((select json_extract(${settings.site}, '$.tagManager.needsConsent') from ${settings} where ${settings.id} = 1), 1)`;

/** SQL: whether the domain may be entered in the preload list, 1 or 0. */
export const preloadSetting = sql<number>`coalesce((select json_extract(${settings.site}, '$.transport.preload') from ${settings} where ${settings.id} = 1), 0)`;

/** SQL: the kinds of security events that the owner gets emails about, as JSON. */
export const alertsSetting = sql<string>`coalesce((select json_extract(${settings.site}, '$.alerts.kinds') from ${settings} where ${settings.id} = 1), '[]')`;

/** SQL: what generates transcripts, as JSON; null before the first change. */
export const transcriptionSetting = sql<
  string | null
>`(select json_extract(${settings.site}, '$.transcription') from ${settings} where ${settings.id} = 1)`;

/** SQL: what proposes texts, as JSON; null before the first change. */
export const proposalsSetting = sql<
  string | null
>`(select json_extract(${settings.site}, '$.proposals') from ${settings} where ${settings.id} = 1)`;

/** SQL: whether the site says what models wrote, 1 or 0. */
export const disclosureSetting = sql<number>`coalesce((select json_extract(${settings.site}, '$.disclosesGenerated') from ${settings} where ${settings.id} = 1), 0)`;

/** SQL: the service of leaked passwords; empty for none. */
export const breachServiceSetting = sql<string>`coalesce((select json_extract(${settings.site}, '$.passwords.breachService') from ${settings} where ${settings.id} = 1), '')`;

/** SQL: the settings of analytics as JSON; null before the first change. */
export const analyticsSetting = sql<
  string | null
>`(select json_extract(${settings.site}, '$.analytics') from ${settings} where ${settings.id} = 1)`;

/** SQL: the site's time zone. */
export const timeZoneSetting = sql<string>`coalesce((select json_extract(${settings.site}, '$.timeZone') from ${settings} where ${settings.id} = 1), ${siteDefaults.timeZone})`;

/** SQL: whether letters can be read on the site. */
export const archiveSetting = sql`coalesce((select json_extract(${settings.site}, '$.newsletter.archive') from ${settings} where ${settings.id} = 1), 0)`;

/** SQL: whether readers may comment. */
export const commentsSetting = sql`coalesce((select json_extract(${settings.site}, '$.features.comments') from ${settings} where ${settings.id} = 1), 0)`;

/** SQL: whether visitors are asked to support the podcast, 1 or 0. */
export const patreonSetting = sql<number>`coalesce((select json_extract(${settings.site}, '$.features.patreon') from ${settings} where ${settings.id} = 1), 1)`;

/** SQL: when the demo was loaded, in milliseconds UTC; zero without it. */
export const demoLoadedAt = sql`coalesce((select ${settings.demoLoadedAt} from ${settings} where ${settings.id} = 1), 0)`;

/** The site's settings; a field that was never set has its default. */
export async function readSite(ctx: Context): Promise<Site> {
  ctx.dependsOn("site");
  const [row] = await ctx.readOnce("site", () => selectSite(ctx, {}));
  return { ...siteDefaults, ...row?.site };
}

/** Today's date in the site's time zone, yyyy-mm-dd. */
export const today = async (ctx: Context) => dayIn((await readSite(ctx)).timeZone, ctx.now);

export const settingsColumns = { site: settings.site, updatedAt: settings.updatedAt };

/**
 * The settings as the admin area edits them.
 * @throws `unauthenticated`, `forbidden`
 */
export async function readSettings(ctx: Context): Promise<Settings> {
  requireCapability("settings", ctx);
  const [row] = await ctx.db.select(settingsColumns).from(settings).where(eq(settings.id, 1));
  return toSettings(ctx, row);
}

export const toSettings = (
  ctx: Context,
  row: { site: Partial<Site>; updatedAt: Date } | undefined,
): Settings => ({
  site: { ...siteDefaults, ...row?.site },
  updatedAt: row?.updatedAt.getTime() ?? 0,
  siteUrl: ctx.config.siteUrl,
  mailFrom: ctx.config.mailFrom,
  mail: {
    mails: mailWayHere(ctx),
    letters: letterWayOf(ctx),
    takesReports: ctx.config.webhookSecret !== undefined,
  },
});

/**
 * Whether the domain may be entered in the preload list.
 * @throws `unauthenticated`, `forbidden`
 */
export async function readPreload(ctx: Context): Promise<PreloadState> {
  requireCapability("settings", ctx);
  const { transport } = await readSite(ctx);
  return { isAllowed: transport.preload, mayChange: isAllowed("transport", ctx) };
}

/** The sender of the site's emails, as `mailRow` takes it, and the site's name for their text. */
export async function readSender(ctx: Context) {
  const site = await readSite(ctx);
  return { siteName: site.name, sender: senderOf(ctx, site) };
}

/** The same from settings that are already read. */
export function senderOf({ config }: Context, { name, language, email, newsletter }: Site) {
  // MAIL_FROM may have moved to another domain since the address was chosen.
  const address = isOwnSender(email.fromEmail, config) ? email.fromEmail : config.mailFrom;
  return {
    from: { address, name: email.fromName || name },
    // Without a name: a Reply-To with a name marks an email about that person (worker/people/noun.ts).
    ...(email.replyTo && { replyTo: { address: email.replyTo } }),
    site: { name, language, postalAddress: newsletter.postalAddress },
  };
}
